// The files that a configuration names -> what they export, or diagnostics at the entries that name them. They are
// run anew for every generation; a file that cannot be run leaves the generation before it serving.

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { setSourceMapsEnabled } from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Config } from '../../config/config.ts'
import type { Diagnostic, DiagnosticPath } from '../../errors/diagnostic.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { isRecord } from '../../util/is-record.ts'
import { type NotRead, openRegularFile, readRegularFile } from '../../util/read-regular-file.ts'
import {
  type BundledCode,
  type BundleFault,
  bundleUserCode,
  LARGEST_CODE,
  SHARED,
} from './bundle-user-code.ts'
import { type CodeReference, codeReferences } from './code-references.ts'
import { describeFault } from './describe-fault.ts'
import { importModule } from './import-module.ts'

export interface UserCode {
  /** What a reference of the configuration stands for. */
  exported(reference: string): unknown
  /** Absolute paths of every file that has a part in it. */
  readonly files: readonly string[]
  /** Of their contents. */
  readonly hash: string
  readonly diagnostics: readonly Diagnostic[]
}

/** A module whose top level waits for longer than this is given up. */
const LONGEST_RUN = 10_000

export const noUserCode: UserCode = { exported: () => undefined, files: [], hash: '', diagnostics: [] }

interface Named extends CodeReference {
  readonly file: string
  readonly exportName: string
}

export async function loadUserCode(config: Config): Promise<UserCode> {
  const named = codeReferences(config).map((reference) => parseReference(reference, config.directory))
  if (named.length === 0) return noUserCode
  const files = [...new Set(named.map(({ file }) => file))]
  const diagnostics: Diagnostic[] = []
  const unreadable = await unreadableOf(files)
  for (const { file, path, text } of named) {
    const fault = unreadable.get(file)
    if (fault === undefined) continue
    const name = JSON.stringify(text.split('#')[0])
    const message = fault.missing ? `there is no file ${name}` : `cannot read ${name}: ${fault.reason}`
    diagnostics.push(error('USR001', path, message))
  }
  const readable = files.filter((file) => !unreadable.has(file))
  const bundled = await bundleUserCode(readable, config.directory)
  if (!bundled.ok) {
    const all = [...new Set([...files, ...bundled.files])]
    diagnostics.push(...bundled.faults.map((fault) => faultDiagnostic(fault, named, config)))
    return { exported: () => undefined, files: all, hash: await hashOf(all), diagnostics }
  }
  const { bundle } = bundled
  const values = new Map<string, unknown>()
  const modules = await importBundle(bundle)
  for (const [file, run] of modules) {
    const users = named.filter((one) => one.file === file)
    try {
      const exported = await inTime(run())
      for (const { text, exportName, path, whole = false } of users) {
        const value = exportOf(exported, exportName) ?? (whole && !text.includes('#') ? exported : undefined)
        if (value === undefined) diagnostics.push(noExport(exportName, exported, path))
        if (value !== undefined || !values.has(text)) values.set(text, value)
      }
    } catch (fault) {
      const [first] = users
      if (first !== undefined) diagnostics.push(failed(fault, first, config, bundle.files))
    }
  }
  const all = [...new Set([...files, ...bundle.files])]
  return { exported: (text) => values.get(text), files: all, hash: await hashOf(all), diagnostics }
}

function parseReference(reference: CodeReference, directory: string): Named {
  const [file = '', exportName = 'default'] = reference.text.split('#')
  return { ...reference, file: resolve(directory, file), exportName }
}

async function unreadableOf(files: readonly string[]): Promise<ReadonlyMap<string, NotRead>> {
  const found = await Promise.all(files.map(async (file) => [file, await openRegularFile(file)] as const))
  const faults = new Map<string, NotRead>()
  for (const [file, opened] of found) {
    if (opened.ok) await opened.handle.close()
    else faults.set(file, opened)
  }
  return faults
}

/** The bundle as a module of this process: a file for as long as it is being read. */
async function importBundle({ code, shared }: BundledCode): Promise<Map<string, () => Promise<unknown>>> {
  const known = sharedPackages()
  for (const name of shared) if (!known.has(name)) known.set(name, await loadShared(name))
  // Stacks of users' errors name their own files and lines.
  setSourceMapsEnabled(true)
  const folder = await mkdtemp(join(tmpdir(), 'cms-run-'))
  try {
    const file = join(folder, 'user-code.mjs')
    await writeFile(file, code)
    const { modules } = (await importModule(String(pathToFileURL(file)))) as {
      modules: Map<string, () => Promise<unknown>>
    }
    return modules
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

function inTime<T>(running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it was not done after ten seconds')), LONGEST_RUN)
  })
  return Promise.race([running, late]).finally(() => clearTimeout(timer))
}

/** A CommonJS file's `module.exports` stands for its default export and for its named ones. */
function exportOf(exported: unknown, name: string): unknown {
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

function faultDiagnostic(fault: BundleFault, named: readonly Named[], { directory }: Config): Diagnostic {
  const user = named.find(({ file }) => file === fault.file) ?? named[0]
  const place =
    fault.file === undefined
      ? ''
      : `${relative(directory, fault.file)}:${fault.line ?? 1}:${fault.column ?? 1}: `
  return error('USR002', user?.path ?? [], `this code cannot be loaded: ${place}${fault.message}`)
}

/** Its first line, and where in the user's files it happened. */
function failed(
  fault: unknown,
  { path }: Named,
  { directory }: Config,
  files: readonly string[],
): Diagnostic {
  const { message, where } = describeFault(fault, files, directory)
  return error('USR002', path, `this code failed when it was loaded: ${message}`, where)
}

async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of [...files].sort()) {
    const read = await readRegularFile(file, LARGEST_CODE)
    hash
      .update(file)
      .update('\0')
      .update(read.ok ? read.bytes : read.reason)
      .update('\0')
  }
  return hash.digest('hex')
}

function error(code: string, path: DiagnosticPath, message: string, help?: string): Diagnostic {
  return { code, severity: 'error', path, message, ...(help === undefined ? {} : { help }) }
}
