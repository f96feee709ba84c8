// Loads a Config from a file or an object, or returns every diagnostic.

import { createHash } from 'node:crypto'
import { dirname, relative, resolve } from 'node:path'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { waitForTurn } from '../lib/next-turn.ts'
import { readRegularFile } from '../lib/read-regular-file.ts'
import { applyOverrides, type Overrides } from './apply-overrides.ts'
import { checkRules } from './check-rules.ts'
import type { Config } from './config.ts'
import { readCustomFields } from './custom-fields.ts'
import { FaultyPlaces } from './faulty-parts.ts'
import { hideSecrets } from './hide-secrets.ts'
import { type Environment, interpolateEnv } from './interpolate-env.ts'
import { loadSeed } from './load-seed.ts'
import { listNamedVariables, type NamedVariables } from './named-variables.ts'
import { normalize, type Origin } from './normalize.ts'
import { getUid } from './normalize-content-type.ts'
import { copyPlainValue } from './plain-value.ts'
import type { PluginRule } from './plugin-rule.ts'
import type { RawConfig } from './raw-config.ts'
import { readDotEnv } from './read-dot-env.ts'
import { readSecretFiles, type SecretFiles } from './read-secret-files.ts'
import { createRemainder, type Remainder, removeFaults, withoutFaults } from './remainder.ts'
import { type Refusal, refuseForeign, refusesNothing, type SentText } from './sent-text.ts'
import { checkShape } from './shape/check-shape.ts'
import { expandShorthands } from './shorthand/expand-shorthands.ts'
import type { PluginShorthands } from './shorthand/shorthand.ts'
import { decodeText, findControlCharacter } from './yaml/decode-text.ts'
import { MAX_YAML_BYTES, type ParsedYaml, type ParseYaml, parseYaml, readYaml } from './yaml/parse-yaml.ts'
import type { SourceText } from './yaml/source-text.ts'
import { writeYaml } from './yaml/write-yaml.ts'
import { createSource, type GrowingSource } from './yaml/yaml-source.ts'

/** `text` replaces the file's content; `sent`: a text from a page. */
export type ConfigSource =
  | { readonly file: string; readonly text?: string; readonly sent?: SentText }
  | { readonly object: unknown; readonly directory?: string }

export interface LoadOptions {
  readonly env: Environment
  readonly overrides?: Overrides
  readonly rules?: readonly PluginRule[]
  readonly shorthands?: readonly PluginShorthands[]
  /** By default in this thread, which a large text blocks. */
  readonly parse?: ParseYaml
}

export interface LoadedConfig {
  readonly config: Config | undefined
  readonly source: SourceText
  readonly diagnostics: readonly Diagnostic[]
  /** Absolute paths: the file, its `.env` (even a missing one), secrets and seed files. */
  readonly files: readonly string[]
  /** Of everything that was read: equal hashes mean equal configurations. */
  readonly hash: string
  /** Paths whose values contain variables, and texts that must not be shown. */
  readonly secrets: Secrets
  /** With those of `.env`. */
  readonly env: Environment
  readonly rest?: Remainder | undefined
}

export interface Secrets {
  readonly paths: readonly (readonly (string | number)[])[]
  readonly texts: ReadonlySet<string>
}

/** Never throws because of the file. */
export async function loadConfig(source: ConfigSource, options: LoadOptions): Promise<LoadedConfig> {
  const sent = 'file' in source ? source.sent : undefined
  const opened =
    'file' in source ? await openFile(source.file, sent?.text ?? source.text) : openObject(source)
  const { origin, text, name } = opened
  const dotEnv = await readDotEnv(origin.directory, options.env)
  const hash = createHash('sha256').update(text).update('\0').update(dotEnv.text)
  const files = [...(origin.file === undefined ? [] : [origin.file]), dotEnv.file]
  const stopped = (
    faults: readonly Diagnostic[],
    from: SourceText = createSource(name, text),
  ): LoadedConfig => ({
    config: undefined,
    source: from,
    diagnostics: [...faults, ...dotEnv.diagnostics],
    files,
    hash: hash.digest('hex'),
    secrets: { paths: [], texts: new Set() },
    env: dotEnv.env,
  })
  if (opened.fault !== undefined) return stopped([opened.fault])

  // These steps take long for a large file, and a running server has to respond in between.
  await waitForTurn()
  const parse = options.parse ?? parseYaml
  const parsed = opened.plain ?? (await parse(text, name))
  await waitForTurn()
  if (parsed.diagnostics.length > 0) return stopped(parsed.diagnostics, parsed.source)
  const { overrides = {}, rules = [], shorthands = [] } = options
  const secretFiles = await readSecretFiles(parsed.value, dotEnv.env, origin.directory)
  for (const file of secretFiles.values()) {
    files.push(file.path)
    hash.update('\0').update('text' in file ? file.text : file.reason)
  }
  const bounds = sent === undefined ? unbounded : await readBounds(sent, origin, parse)
  const input = {
    ...parsed,
    origin,
    env: dotEnv.env,
    secretFiles,
    overrides,
    rules,
    shorthands,
    parse,
    bounds,
  }
  const { seedHash, ...checked } = await checkParsed(input)
  return {
    ...checked,
    env: dotEnv.env,
    diagnostics: [...checked.diagnostics, ...dotEnv.diagnostics],
    files: [...files, ...checked.files],
    hash: hash.update(seedHash).digest('hex'),
  }
}

interface Bounds {
  readonly named: NamedVariables | undefined
  readonly refuse: Refusal
}

const unbounded: Bounds = { named: undefined, refuse: refusesNothing }

/** A file that cannot be parsed allows no variables. */
async function readBounds(
  sent: SentText,
  { file = '', directory }: Origin,
  parse: ParseYaml,
): Promise<Bounds> {
  const { text, name } = await openFile(file, undefined)
  const { value } = await parse(text, name)
  return { named: listNamedVariables(value), refuse: refuseForeign(directory, sent) }
}

interface ParsedFile {
  readonly value: unknown
  readonly source: GrowingSource
  readonly origin: Origin
  readonly env: Environment
  readonly secretFiles: SecretFiles
  readonly overrides: Overrides
  readonly rules: readonly PluginRule[]
  readonly shorthands: readonly PluginShorthands[]
  readonly parse: ParseYaml
  readonly bounds: Bounds
}

async function checkParsed({ value, source, origin, env, overrides, ...options }: ParsedFile) {
  const { rules, shorthands, parse, secretFiles, bounds } = options
  const interpolation = interpolateEnv(value, env, secretFiles, bounds.named)
  const expanded = expandShorthands(interpolation, shorthands)
  source.follow(expanded.origins)
  const customFields = readCustomFields(expanded.value)
  const shape = checkShape(expanded)
  // A missing variable leaves an empty value, whose wrong shape is not reported in addition.
  const holes = new Set(expanded.diagnostics.map(({ path }) => path.join('\0')))
  const shapeDiagnostics = shape.diagnostics.filter(({ path }) => !holes.has(path.join('\0')))
  const diagnostics: Diagnostic[] = [...expanded.diagnostics, ...shapeDiagnostics]
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic)
  const texts = new Set(interpolation.secrets)
  const paths = expanded.interpolated.map(({ path }) => configPath(path))
  const faulty = new FaultyPlaces()
  const shapeFaults = new Set(diagnostics)
  if (diagnostics.some(isError) && !removeFaults(shape.value, diagnostics, faulty)) {
    return {
      config: undefined,
      source,
      diagnostics: hideSecrets(diagnostics, texts),
      files: [],
      seedHash: '',
      secrets: { paths, texts },
    }
  }

  // The schema has checked the shape.
  const raw = applyOverrides(shape.value as RawConfig, overrides, env, report)
  checkRules(raw, rules, (fault) => {
    if (!faulty.touches(fault)) report({ ...fault, path: faulty.inFile(fault.path) })
  })
  diagnostics.push(...customFields)
  const { file, directory } = origin
  const shownDirectory = file === undefined ? relative(process.cwd(), directory) : dirname(source.name)
  const seed = await loadSeed(raw.data, { directory, shownDirectory, source, parse, refuse: bounds.refuse })
  diagnostics.push(...seed.diagnostics)
  const failed = diagnostics.some(isError)
  const parts = { raw, seed, origin, faulty }
  return {
    config: failed ? undefined : normalize(raw, seed, origin),
    source,
    diagnostics: hideSecrets(diagnostics, texts),
    files: seed.files,
    seedHash: seed.hash,
    secrets: { paths, texts },
    rest: failed ? withoutFaults(parts, later(diagnostics, shapeFaults)) : createRemainder(parts),
  }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}

function later(diagnostics: readonly Diagnostic[], before: ReadonlySet<Diagnostic>): readonly Diagnostic[] {
  return diagnostics.filter((one) => isError(one) && !before.has(one))
}

interface OpenedFile {
  readonly name: string
  readonly text: string
  readonly origin: Origin
  readonly fault: Diagnostic | undefined
  /** For an object; `text` is then JSON. */
  readonly plain?: ParsedYaml
}

async function openFile(name: string, text: string | undefined): Promise<OpenedFile> {
  const file = resolve(name)
  const origin = { file, directory: dirname(file) }
  if (text !== undefined) return { name, origin, ...decodeBytes(Buffer.from(text)) }
  const read = await readRegularFile(file, MAX_YAML_BYTES)
  if (read.ok) return { name, origin, ...decodeBytes(read.bytes) }
  const message = `cannot read ${name}: ${read.reason}`
  return { name, text: '', origin, fault: { code: 'CFG001', severity: 'error', path: [], message } }
}

function decodeBytes(bytes: Uint8Array): Pick<OpenedFile, 'text' | 'fault'> {
  const { text, fault } = decodeText(bytes)
  return { text, fault: fault ?? findControlCharacter(text) }
}

/** Values that are not plain are written as YAML and parsed again. */
function openObject({
  object,
  directory = process.cwd(),
}: Extract<ConfigSource, { object: unknown }>): OpenedFile {
  const opened = { name: '<config>', origin: { file: undefined, directory: resolve(directory) } }
  const value = copyPlainValue(object)
  if (value !== undefined) {
    const text = JSON.stringify(value)
    return {
      ...opened,
      text,
      fault: undefined,
      plain: { value, diagnostics: [], source: toYamlSource(text) },
    }
  }
  try {
    // YAML has no text for `undefined`.
    return { ...opened, text: object === undefined ? '' : writeYaml(object, 0), fault: undefined }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `the configuration cannot be written as YAML: ${reason}`
    return { ...opened, text: '', fault: { code: 'CFG006', severity: 'error', path: [], message } }
  }
}

function toYamlSource(json: string): GrowingSource {
  const source = createSource(
    '<config>',
    () => writeYaml(JSON.parse(json), 0),
    () => readYaml(source.text).tree?.(),
  )
  return source
}

/** In Config, the keys of content-types are full uids. */
function configPath(path: readonly (string | number)[]): readonly (string | number)[] {
  const [section, key, ...rest] = path
  if (section !== 'contentTypes' || typeof key !== 'string') return path
  return [section, getUid(key), ...rest]
}
