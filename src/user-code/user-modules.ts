// Loads users' code as modules. Node never releases a module, so reloads reuse unchanged code and the total
// size is bounded.

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setSourceMapsEnabled } from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Environment } from '../config/interpolate-env.ts'
import { type BundledCode, SHARED } from './bundle-user-code.ts'
import { StrapiGlobal } from './strapi-global.ts'
import { strapiPackages } from './strapi-package.ts'
import { runTrial, type TrialFault } from './trial-run.ts'
import { withTimeout } from './with-timeout.ts'

interface LoadedModules {
  /** The global `strapi` of its files. */
  readonly strapi: StrapiGlobal
  /** Runs the file once; rejects with the error that the file threw. */
  getExports(file: string): Promise<unknown>
  adopt(): void
}

export type LoadResult =
  /** `much` is set when the process should be restarted. */
  | { readonly ok: true; readonly modules: LoadedModules; readonly much: CodeUsage | undefined }
  | { readonly ok: false; readonly fault: TrialFault }
  /** The process has loaded as much code as allowed. */
  | { readonly ok: false; readonly full: CodeUsage }

/** Code that this process can no longer release. */
export interface CodeUsage {
  readonly times: number
  readonly bytes: number
}

export type CodeKind = 'plugins' | 'code'

export interface UserModules {
  /** `files`: absolute paths. Unchanged code of the same kind does not run again. */
  load(kind: CodeKind, bundle: BundledCode, files: readonly string[], place: CodePlace): Promise<LoadResult>
}

interface CodePlace {
  readonly directory: string
  readonly env: Environment
}

interface ModuleLimits {
  /** Milliseconds for the top level of one file. */
  readonly longest: number
  /** MB that all top levels together may keep. */
  readonly heap: number
  /** Bytes of code, with source maps, per process; it takes about as much memory. */
  readonly most: number
  /** Bytes above which each reload of changed code reports it. */
  readonly much: number
}

const LIMITS: ModuleLimits = {
  longest: 10_000,
  heap: 1024,
  most: 256 * 1024 * 1024,
  much: 64 * 1024 * 1024,
}

const kept = { times: 0, bytes: 0 }
const userFiles = new Set<string>()

export function getProcessCode(): CodeUsage {
  return { ...kept }
}

export function listUserCodeFiles(): ReadonlySet<string> {
  return userFiles
}

interface LoadedModule extends LoadedModules {
  readonly hash: string
  /** Retried, since the cause may be elsewhere. */
  failed: boolean
}

export function createUserModules(given: Partial<ModuleLimits> = {}): UserModules {
  const limits = { ...LIMITS, ...given }
  const live = new Map<CodeKind, LoadedModule>()
  const tried = new Map<CodeKind, LoadedModule>()

  return {
    async load(kind, bundle, files, { directory, env }) {
      const variables = listVariables(env)
      const hash = createHash('sha256').update(bundle.code).update(JSON.stringify(variables)).digest('hex')
      const known = [live.get(kind), tried.get(kind)].find((one) => one?.hash === hash && !one.failed)
      if (known !== undefined) return { ok: true, modules: known, much: undefined }
      if (kept.bytes + bundle.code.length > limits.most) return { ok: false, full: getProcessCode() }
      const imported = await importBundle(bundle, { directory, variables }, limits)
      if (!imported.ok) return imported
      kept.times += 1
      kept.bytes += bundle.code.length
      for (const file of files) userFiles.add(file)
      const running = new Map<string, Promise<unknown>>()
      const one: LoadedModule = {
        hash,
        failed: false,
        strapi: imported.strapi,
        getExports(file) {
          const run =
            running.get(file) ?? withTimeout(() => imported.run(file), limits.longest, 'its top level')
          running.set(file, run)
          run.catch(() => {
            one.failed = true
          })
          return run
        },
        adopt() {
          live.set(kind, one)
          if (tried.get(kind) === one) tried.delete(kind)
        },
      }
      tried.set(kind, one)
      return { ok: true, modules: one, much: kept.bytes > limits.much ? getProcessCode() : undefined }
    },
  }
}

type ImportedFile =
  | { readonly ok: true; readonly strapi: StrapiGlobal; run(file: string): Promise<unknown> }
  | { readonly ok: false; readonly fault: TrialFault }

async function importBundle(
  bundle: BundledCode,
  { directory, variables }: { readonly directory: string; readonly variables: Environment },
  { longest, heap }: ModuleLimits,
): Promise<ImportedFile> {
  const { code, shared } = bundle
  const known = sharedPackages()
  for (const name of shared) if (!known.has(name)) known.set(name, await loadShared(name))
  // Stacks of users' errors then show the user's own files and lines.
  setSourceMapsEnabled(true)
  const folder = await mkdtemp(join(tmpdir(), 'cms-run-'))
  try {
    const file = join(folder, 'user-code.mjs')
    await writeFile(file, code)
    const fault = await runTrial({ folder, bundle: file, shared, directory, variables, longest, heap })
    if (fault !== undefined) return { ok: false, fault }
    const { modules, bind } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      modules: Map<string, () => Promise<unknown>>
      bind(getStrapi: () => unknown, variables: Environment): void
    }
    const strapi = new StrapiGlobal()
    bind(() => strapi.get(), { ...variables })
    return { ok: true, strapi, run: async (name) => modules.get(name)?.() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Those that the process has not, such as of `.env`. */
function listVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => process.env[name] !== value))
}

/** By name; each takes the global `strapi`. */
type SharedPackages = Map<string, (strapi: never) => unknown>

function sharedPackages(): SharedPackages {
  const place = globalThis as { [key: symbol]: SharedPackages | undefined }
  place[Symbol.for(SHARED)] ??= new Map()
  return place[Symbol.for(SHARED)] as SharedPackages
}

async function loadShared(name: string): Promise<(strapi: never) => unknown> {
  const own = strapiPackages.get(name)
  if (own !== undefined) return own
  const found: unknown = await (name === 'nexus' ? import('nexus') : import('graphql'))
  return () => found
}
