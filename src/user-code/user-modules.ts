// Loads users' code as modules of this process. Node never releases a module that it has imported, so unchanged code is
// kept over reloads, and the total size of changed code is bounded.

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setSourceMapsEnabled } from 'node:process'
import { pathToFileURL } from 'node:url'
import { type BundledCode, SHARED } from './bundle-user-code.ts'
import { type TrialFault, trialRun } from './trial-run.ts'
import { withTimeout } from './with-timeout.ts'

interface LoadedModules {
  /** The exports of a file; rejects with what the file threw. The file runs once. */
  getExports(file: string): Promise<unknown>
  /** Called when the configuration of these modules goes live. */
  adopt(): void
}

export type ModulesLoaded =
  /** `much` is set when it is time to restart the process. */
  | { readonly ok: true; readonly modules: LoadedModules; readonly much: CodeUsage | undefined }
  | { readonly ok: false; readonly fault: TrialFault }
  /** The process has loaded as much code as allowed. */
  | { readonly ok: false; readonly full: CodeUsage }

/** Code that this process can no longer release. */
export interface CodeUsage {
  readonly times: number
  readonly bytes: number
}

/** Plugins are loaded before the model, other code after it. */
export type CodeKind = 'plugins' | 'code'

export interface UserModules {
  /** `files`: absolute paths of the user files in the bundle. Unchanged code of the same kind does not run again. */
  load(
    kind: CodeKind,
    bundle: BundledCode,
    files: readonly string[],
    directory: string,
  ): Promise<ModulesLoaded>
}

interface ModuleLimits {
  /** Milliseconds that the top level of one file may take. */
  readonly longest: number
  /** MB of objects that the top levels of all files may keep. */
  readonly heap: number
  /** Bytes of code, with source maps, that a process loads in total; it takes about as much memory. */
  readonly most: number
  /** Above this many bytes, each reload that loads changed code reports it. */
  readonly much: number
}

const LIMITS: ModuleLimits = {
  longest: 10_000,
  heap: 1024,
  most: 256 * 1024 * 1024,
  much: 64 * 1024 * 1024,
}

/** Counts for the whole process, whoever loads code in it. */
const kept = { times: 0, bytes: 0 }
const userFiles = new Set<string>()

/** All code that this process has loaded. */
export function processCode(): CodeUsage {
  return { ...kept }
}

/** Absolute paths of every file of users' code that this process has run. */
export function filesOfUserCode(): ReadonlySet<string> {
  return userFiles
}

interface LoadedModule extends LoadedModules {
  readonly hash: string
  /** One of its files could not be run: it is tried again, since the cause may be elsewhere. */
  failed: boolean
}

/** Tests set other limits. */
export function createUserModules(given: Partial<ModuleLimits> = {}): UserModules {
  const limits = { ...LIMITS, ...given }
  const live = new Map<CodeKind, LoadedModule>()
  /** The code of a configuration that was rejected, or is not live yet. */
  const tried = new Map<CodeKind, LoadedModule>()

  return {
    async load(kind, bundle, files, directory) {
      const hash = createHash('sha256').update(bundle.code).digest('hex')
      const known = [live.get(kind), tried.get(kind)].find((one) => one?.hash === hash && !one.failed)
      if (known !== undefined) return { ok: true, modules: known, much: undefined }
      if (kept.bytes + bundle.code.length > limits.most) return { ok: false, full: processCode() }
      const imported = await importBundle(bundle, directory, limits)
      if (!imported.ok) return imported
      kept.times += 1
      kept.bytes += bundle.code.length
      for (const file of files) userFiles.add(file)
      const running = new Map<string, Promise<unknown>>()
      const one: LoadedModule = {
        hash,
        failed: false,
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
      return { ok: true, modules: one, much: kept.bytes > limits.much ? processCode() : undefined }
    },
  }
}

type ImportedFile =
  | { readonly ok: true; run(file: string): Promise<unknown> }
  | { readonly ok: false; readonly fault: TrialFault }

/** Imports the bundle as a module of this process; the file exists only while it is imported. */
async function importBundle(
  bundle: BundledCode,
  directory: string,
  { longest, heap }: ModuleLimits,
): Promise<ImportedFile> {
  const { code, shared } = bundle
  const known = sharedPackages()
  for (const name of shared) if (!known.has(name)) known.set(name, await loadShared(name))
  // So that stacks of users' errors show the user's own files and lines.
  setSourceMapsEnabled(true)
  const folder = await mkdtemp(join(tmpdir(), 'cms-run-'))
  try {
    const file = join(folder, 'user-code.mjs')
    await writeFile(file, code)
    const fault = await trialRun({ folder, bundle: file, shared, directory, longest, heap })
    if (fault !== undefined) return { ok: false, fault }
    const { modules } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      modules: Map<string, () => Promise<unknown>>
    }
    return { ok: true, run: async (name) => modules.get(name)?.() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function sharedPackages(): Map<string, unknown> {
  const place = globalThis as { [key: symbol]: Map<string, unknown> | undefined }
  place[Symbol.for(SHARED)] ??= new Map()
  return place[Symbol.for(SHARED)] as Map<string, unknown>
}

function loadShared(name: string): Promise<unknown> {
  return name === 'nexus' ? import('nexus') : import('graphql')
}
