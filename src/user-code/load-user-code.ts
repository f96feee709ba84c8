// Loads user files, and runs them again only when one changed; if a file fails, the previous app keeps
// serving.

import { createHash } from 'node:crypto'
import { relative, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Environment } from '../config/interpolate-env.ts'
import { type Refusal, refusesNothing } from '../config/sent-text.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { type NotRead, type OpenedFile, openRegularFile } from '../lib/read-regular-file.ts'
import type { EnabledPlugin } from '../plugins/plugin.ts'
import { type BundleFault, bundleUserCode } from './bundle-user-code.ts'
import { type CodeReference, listCodeReferences } from './code-references.ts'
import { describeFault } from './describe-fault.ts'
import type { StrapiGlobal } from './strapi-global.ts'
import {
  type CodeKind,
  type CodeUsage,
  createUserModules,
  type LoadResult,
  type UserModules,
} from './user-modules.ts'

export interface UserCode {
  /** The global `strapi` of its files; undefined without files. */
  readonly strapi: StrapiGlobal | undefined
  exported(reference: string): unknown
  /** Whether a file asks for `strapi.requestContext`. */
  readonly asksRequest: boolean
  readonly files: readonly string[]
  readonly hash: string
  readonly diagnostics: readonly Diagnostic[]
  /** Called when the configuration goes live. */
  adopt(): void
}

export const noUserCode: UserCode = {
  strapi: undefined,
  exported: () => undefined,
  asksRequest: false,
  files: [],
  hash: '',
  diagnostics: [],
  adopt() {},
}

interface LocatedReference extends CodeReference {
  readonly file: string
  readonly exportName: string
}

/** `modules` is shared by all configurations of one server. Files rejected by `refuse` are not read. */
export async function loadUserCode(
  config: Config,
  plugins: readonly EnabledPlugin[],
  { modules = createUserModules(), refuse = refusesNothing, env = {} }: Partial<LoadCodeOptions> = {},
): Promise<UserCode> {
  const { directory } = config
  return loadCode('code', listCodeReferences(config, plugins), { directory, modules, refuse, env })
}

export interface LoadCodeOptions {
  readonly directory: string
  readonly modules: UserModules
  readonly refuse: Refusal
  /** `process.env` of the code has these, too. */
  readonly env: Environment
}

export async function loadCode(
  kind: CodeKind,
  references: readonly CodeReference[],
  { directory, modules, refuse, env }: LoadCodeOptions,
): Promise<UserCode> {
  const named = references.map((reference) => parseReference(reference, directory))
  if (named.length === 0) return noUserCode
  const files = [...new Set(named.map(({ file }) => file))]
  const diagnostics: Diagnostic[] = []
  const unreadable = await readUnreadable(files, refuse)
  for (const { file, path, text } of named) {
    const fault = unreadable.get(file)
    if (fault === undefined) continue
    const name = JSON.stringify(text.split('#')[0])
    const message = fault.missing ? `there is no file ${name}` : `cannot read ${name}: ${fault.reason}`
    diagnostics.push(error('USR001', path, message))
  }
  const readable = files.filter((file) => !unreadable.has(file))
  const bundled = await bundleUserCode(readable, directory)
  const own = [...bundled.read.keys()]
  const all = [...new Set([...files, ...own])]
  const hash = computeHash([
    ...[...unreadable].map(([file, { reason }]) => [file, reason] as const),
    ...bundled.read,
  ])
  if (!bundled.ok) {
    diagnostics.push(...bundled.faults.map((fault) => faultDiagnostic(fault, named, directory)))
    return { ...noUserCode, files: all, hash, diagnostics }
  }
  const { bundle } = bundled
  const [first] = named
  let loaded: LoadResult
  try {
    loaded = await modules.load(kind, bundle, own, { directory, env })
  } catch (fault) {
    // Failed before any file ran: a package threw, or lacks an imported export.
    if (first !== undefined) diagnostics.push(failed(fault, first, directory, own))
    return { ...noUserCode, files: all, hash, diagnostics }
  }
  if (!loaded.ok) {
    if ('full' in loaded) diagnostics.push(tooMuchCode('error', loaded.full))
    else {
      const { file, message } = loaded.fault
      const { path } = named.find((one) => one.file === file) ?? first ?? { path: [] }
      const help = 'the top level of a file must be quick; longer work belongs in bootstrap()'
      diagnostics.push(error('USR002', path, message, help))
    }
    return { ...noUserCode, files: all, hash, diagnostics }
  }
  if (loaded.much !== undefined) diagnostics.push(tooMuchCode('warning', loaded.much))
  const values = new Map<string, unknown>()
  for (const file of readable) {
    const users = named.filter((one) => one.file === file)
    try {
      const exported = await loaded.modules.getExports(file)
      for (const { text, exportName, path, whole = false, optional = false } of users) {
        const value = getExport(exported, exportName) ?? (whole && !text.includes('#') ? exported : undefined)
        if (value === undefined && !optional) diagnostics.push(noExport(exportName, exported, path))
        if (value !== undefined || !values.has(text)) values.set(text, value)
      }
    } catch (fault) {
      const [user] = users
      if (user !== undefined) diagnostics.push(failed(fault, user, directory, own))
    }
  }
  const { strapi, adopt } = loaded.modules
  const asksRequest = bundle.code.includes('requestContext')
  return { strapi, exported: (text) => values.get(text), asksRequest, files: all, hash, diagnostics, adopt }
}

function tooMuchCode(severity: Diagnostic['severity'], { times, bytes }: CodeUsage): Diagnostic {
  const size = `${Math.round(bytes / 1024 / 1024)} MB`
  const message = `code was loaded ${times} times since the start, and its ${size} stay in memory`
  const help =
    severity === 'error'
      ? 'restart the server: it takes no more edits of code'
      : 'restart the server soon: each edit of code adds to it'
  return { code: 'USR015', severity, path: [], message, help }
}

function parseReference(reference: CodeReference, directory: string): LocatedReference {
  const [file = '', exportName = 'default'] = reference.text.split('#')
  return { ...reference, file: resolve(directory, file), exportName }
}

async function readUnreadable(
  files: readonly string[],
  refuse: Refusal,
): Promise<ReadonlyMap<string, NotRead>> {
  const open = async (file: string): Promise<OpenedFile> => {
    const reason = await refuse(file)
    return reason === undefined ? await openRegularFile(file) : { ok: false, reason, missing: false }
  }
  const found = await Promise.all(files.map(async (file) => [file, await open(file)] as const))
  const faults = new Map<string, NotRead>()
  for (const [file, opened] of found) {
    if (opened.ok) await opened.handle.close()
    else faults.set(file, opened)
  }
  return faults
}

/** `module.exports` of CommonJS provides both the default export and the named ones. */
function getExport(exported: unknown, name: string): unknown {
  if (!isModule(exported)) return undefined
  if (name in exported && exported[name] !== undefined) {
    const value = exported[name]
    if (name === 'default' && isRecord(value) && value['__esModule'] === true) return value['default']
    return value
  }
  const whole = exported['default']
  return isRecord(whole) ? whole[name] : undefined
}

function isModule(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function noExport(name: string, exported: unknown, path: DiagnosticPath): Diagnostic {
  const names = isModule(exported) ? Object.keys(exported).filter((key) => key !== 'default') : []
  const near = didYouMean(name, names)
  const what = name === 'default' ? 'this file has no default export' : `this file exports no "${name}"`
  const help =
    near !== undefined
      ? `did you mean "#${near}"?`
      : names.length > 0
        ? `it exports ${names.slice(0, 10).join(', ')}: name one behind a "#"`
        : undefined
  return error('USR003', path, what, help)
}

function faultDiagnostic(
  fault: BundleFault,
  named: readonly LocatedReference[],
  directory: string,
): Diagnostic {
  const user = named.find(({ file }) => file === fault.file) ?? named[0]
  const place =
    fault.file === undefined
      ? ''
      : `${relative(directory, fault.file)}:${fault.line ?? 1}:${fault.column ?? 1}: `
  return error('USR002', user?.path ?? [], `this code cannot be loaded: ${place}${fault.message}`)
}

function failed(
  fault: unknown,
  { path }: LocatedReference,
  directory: string,
  files: readonly string[],
): Diagnostic {
  const { message, where } = describeFault(fault, files, directory)
  return error('USR002', path, `this code failed when it was loaded: ${message}`, where)
}

function computeHash(contents: readonly (readonly [file: string, content: string])[]): string {
  return createHash('sha256')
    .update(JSON.stringify([...contents].sort()))
    .digest('hex')
}

function error(code: string, path: DiagnosticPath, message: string, help?: string): Diagnostic {
  return { code, severity: 'error', path, message, ...(help === undefined ? {} : { help }) }
}
