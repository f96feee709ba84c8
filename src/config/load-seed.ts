// Loads `data` and its seed files. Variables are not interpolated in seed files, whose content may come from
// anywhere.

import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { readRegularFile } from '../lib/read-regular-file.ts'
import type { Config, SeedEntry } from './config.ts'
import { describeFound } from './describe-value.ts'
import type { RawConfig } from './raw-config.ts'
import type { Refusal } from './sent-text.ts'
import { decodeText } from './yaml/decode-text.ts'
import { parseJson } from './yaml/parse-json.ts'
import { MAX_YAML_BYTES, type ParseYaml } from './yaml/parse-yaml.ts'
import type { GrowingSource } from './yaml/yaml-source.ts'

/** JSON may be larger than YAML: the engine's own parser is much faster. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

interface Seed extends Pick<Config, 'fake'> {
  readonly data: Readonly<Record<string, readonly SeedEntry[]>>
  readonly diagnostics: readonly Diagnostic[]
  readonly files: readonly string[]
  /** Equal hashes mean equal entries. */
  readonly hash: string
}

interface LoadContext {
  readonly directory: string
  readonly shownDirectory: string
  readonly source: GrowingSource
  readonly parse: ParseYaml
  readonly refuse: Refusal
  readonly diagnostics: Diagnostic[]
  readonly files: string[]
  readonly hash: ReturnType<typeof createHash>
}

/** Mounts each file in `source`. */
export async function loadSeed(
  raw: RawConfig['data'],
  given: Pick<LoadContext, 'directory' | 'shownDirectory' | 'source' | 'parse' | 'refuse'>,
): Promise<Seed> {
  const loading: LoadContext = {
    ...given,
    diagnostics: [],
    files: [],
    hash: createHash('sha256'),
  }
  const map = typeof raw === 'string' ? await readSeedFile(raw, ['data'], loading) : (raw ?? {})
  const data: Record<string, readonly SeedEntry[]> = {}
  let fake: Config['fake'] = { counts: {}, seed: 0 }
  if (isMap(map)) {
    for (const [key, value] of Object.entries(map)) {
      if (key === 'fake') {
        fake = getFake(value, loading)
        continue
      }
      const path = ['data', key]
      const entries = typeof value === 'string' ? await readSeedFile(value, path, loading) : value
      data[key] = listEntries(entries, path, loading)
    }
  } else if (map !== undefined) {
    mustBe('a map from content-types to entries', map, ['data'], loading)
  }
  const { diagnostics, files, hash } = loading
  return { data, fake, diagnostics, files, hash: hash.digest('hex') }
}

function isJson(name: string): boolean {
  return name.endsWith('.json')
}

function getMaxBytes(name: string): number {
  return isJson(name) ? MAX_JSON_BYTES : MAX_YAML_BYTES
}

/** Undefined when an error was reported. */
async function readSeedFile(name: string, path: DiagnosticPath, loading: LoadContext): Promise<unknown> {
  const file = resolve(loading.directory, name)
  const json = isJson(name)
  loading.files.push(file)
  const refused = await loading.refuse(file)
  const read =
    refused === undefined
      ? await readRegularFile(file, getMaxBytes(name))
      : { ok: false as const, reason: refused }
  if (!read.ok) {
    const message = `cannot read ${JSON.stringify(name)}: ${read.reason}`
    loading.diagnostics.push({ code: 'CFG001', severity: 'error', path, message })
    return undefined
  }
  loading.hash.update(file).update(read.bytes)
  const { text, fault } = decodeText(read.bytes)
  const shown = join(loading.shownDirectory, name)
  const parsed = json ? parseJson(text, shown) : await loading.parse(text, shown)
  loading.source.mount(path, parsed.source)
  const faults = fault === undefined ? parsed.diagnostics : [fault]
  loading.diagnostics.push(...faults.map((item) => ({ ...item, path: [...path, ...item.path] })))
  if (faults.length > 0) return undefined
  if (!json) warnOfReference(parsed.value, path, loading)
  return parsed.value
}

/** In a YAML seed file `${NAME}` is plain text. */
function warnOfReference(value: unknown, path: DiagnosticPath, { diagnostics }: LoadContext): void {
  const found = findReference(value, path)
  if (found === undefined) return
  diagnostics.push({
    code: 'CFG044',
    severity: 'warning',
    path: found.path,
    message: `"${found.reference}" is plain text in a file of entries`,
    help: 'the environment is read in the configuration itself; write the entry there',
  })
}

function findReference(
  value: unknown,
  path: DiagnosticPath,
): { readonly path: DiagnosticPath; readonly reference: string } | undefined {
  if (typeof value === 'string') {
    const [reference] = /\$\{[A-Za-z_][A-Za-z0-9_]{0,100}(?:\}|:[-?])/.exec(value) ?? []
    return reference === undefined ? undefined : { path, reference: reference.replace(/:.$/, '}') }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, item] of Object.entries(value)) {
    const found = findReference(item, [...path, Array.isArray(value) ? Number(key) : key])
    if (found !== undefined) return found
  }
  return undefined
}

function listEntries(value: unknown, path: DiagnosticPath, loading: LoadContext): readonly SeedEntry[] {
  if (value === undefined) return []
  if (isMap(value)) return [value]
  if (!Array.isArray(value)) {
    mustBe('a list of entries', value, path, loading)
    return []
  }
  return value.filter((entry: unknown, index): entry is SeedEntry => {
    if (isMap(entry)) return true
    mustBe('a map', entry, [...path, index], loading)
    return false
  })
}

/** A seed file is not checked against the schema. */
function getFake(value: unknown, loading: LoadContext): Config['fake'] {
  const path = ['data', 'fake']
  if (!isMap(value)) {
    mustBe('a map from content-types to numbers', value, path, loading)
    return { counts: {}, seed: 0 }
  }
  const numbers: Record<string, number> = {}
  for (const [key, count] of Object.entries(value)) {
    const most = key === 'seed' ? 2 ** 32 - 1 : 100_000
    if (typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= most)
      numbers[key] = count
    else mustBe(`a whole number up to ${most}`, count, [...path, key], loading)
  }
  const { seed = 0, ...counts } = numbers
  return { counts, seed }
}

function mustBe(wanted: string, found: unknown, path: DiagnosticPath, { diagnostics }: LoadContext): void {
  const last = path.at(-1)
  const subject = typeof last === 'number' ? `"${path.at(-2)}[${last}]"` : `"${last}"`
  const message = `${subject} must be ${wanted}, found ${describeFound(found)}`
  diagnostics.push({ code: 'CFG010', severity: 'error', path, message })
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
