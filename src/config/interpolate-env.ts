// Interpolates `${NAME}`, `${NAME:-default}`, `${NAME:?message}`, `${file:path}` in the author's text. Values
// are not interpolated again, and count as secrets.

import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { NamedVariables } from './named-variables.ts'
import type { SecretFiles } from './read-secret-files.ts'
import { isSecretPath } from './secret-paths.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface InterpolatedText {
  readonly path: DiagnosticPath
  readonly text: string
  readonly variables: readonly string[]
  /** The value that YAML would read, if the string was a single interpolation; else the text. */
  readonly typed: unknown
}

export interface Interpolation {
  /** A single interpolation has become the value that YAML would read. */
  readonly value: unknown
  readonly interpolated: readonly InterpolatedText[]
  /** Must not appear in a report. */
  readonly secrets: ReadonlySet<string>
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Characters, in total. Aliases could otherwise expand a short file to any size: one anchor with a thousand
 * references, 100,000 aliases.
 */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024

/** `named`: the allowed variables of a text that a page sent. */
export function interpolateEnv(
  value: unknown,
  env: Environment,
  files: SecretFiles = new Map(),
  named?: NamedVariables,
): Interpolation {
  const run: Run = {
    env,
    files,
    named,
    interpolated: [],
    secrets: new Set(),
    diagnostics: [],
    size: 0,
    tooLarge: false,
  }
  const { interpolated, secrets, diagnostics } = run
  return { interpolated, secrets, diagnostics, value: visit(value, [], run) }
}

interface Run {
  readonly env: Environment
  readonly files: SecretFiles
  readonly named: NamedVariables | undefined
  readonly interpolated: InterpolatedText[]
  readonly secrets: Set<string>
  readonly diagnostics: Diagnostic[]
  size: number
  tooLarge: boolean
}

function visit(value: unknown, path: DiagnosticPath, run: Run): unknown {
  if (typeof value === 'string') return value.includes('${') ? interpolate(value, path, run) : value
  if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, index], run))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, visit(item, [...path, key], run)]),
  )
}

// `$${` stands for the characters `${`; else `${` with the text up to the next `}`.
const OPENING = /\$\$\{|\$\{([^}]*)(\}?)/g
const FILE_REFERENCE = /^(file:[\s\S]+?)(?::-([\s\S]*))?$/
const REFERENCE = /^([A-Za-z_][A-Za-z0-9_]*)(?:(:-|:\?)([\s\S]*))?$/

function interpolate(text: string, path: DiagnosticPath, run: Run): unknown {
  if (run.tooLarge) return text
  if (run.named?.has(path, text) === false) {
    const message = 'a text that a page sent names a variable here, and the file does not'
    const help = 'write it into the file itself, with an editor'
    run.diagnostics.push({ code: 'CFG049', severity: 'error', path, message, help })
    return ''
  }
  const variables = new Set<string>()
  const result = text.replace(OPENING, (whole: string, inner: string | undefined, closing: string) => {
    if (inner === undefined) return whole.slice(1)
    if (run.tooLarge) return ''
    const found = lookUp(inner, closing === '}', path, run)
    if (found.variable !== undefined) variables.add(found.variable)
    count(found.text.length, path, run)
    return run.tooLarge ? '' : found.text
  })
  // The file's own text counts, too: its size is limited, but aliases can repeat it.
  count(text.length, path, run)
  if (run.tooLarge) return text
  const whole = /^\$\{[^}]*\}$/.test(text)
  const typed = whole ? parseTypedScalar(result) : result
  if (variables.size > 0) run.secrets.add(result)
  if (variables.size > 0 || whole)
    run.interpolated.push({ path, text: result, variables: [...variables], typed })
  return typed
}

function count(characters: number, path: DiagnosticPath, run: Run): void {
  run.size += characters
  if (run.size <= MAX_TEXT_LENGTH || run.tooLarge) return
  run.tooLarge = true
  const message = `environment variables expand to more than ${MAX_TEXT_LENGTH / 1024 / 1024} MB of text`
  const help = 'this value is the first that does not fit: name the variable fewer times, or shorten it'
  run.diagnostics.push({ code: 'CFG045', severity: 'error', path, message, help })
}

interface Substitution {
  readonly text: string
  /** Undefined for a default, which is part of the file and so not secret. */
  readonly variable: string | undefined
}

function lookUp(inner: string, closed: boolean, path: DiagnosticPath, run: Run): Substitution {
  const nothing = { text: '', variable: undefined }
  const malformed = (message: string, help: string) => {
    run.diagnostics.push({ code: 'CFG041', severity: 'error', path, message, help })
    return nothing
  }
  if (!closed) return malformed(`"\${" without a closing "}"`, `write "$\${" for the characters themselves`)
  if (inner.includes('${')) {
    return malformed(
      'an interpolation inside another one',
      'a default is taken as it stands; it cannot name a variable',
    )
  }
  const [, file, otherwise] = FILE_REFERENCE.exec(inner) ?? []
  if (file !== undefined) return fromFile(file, otherwise, path, run)
  const [, name, operator, argument = ''] = REFERENCE.exec(inner) ?? []
  if (name === undefined) {
    return malformed(
      `"\${${inner}}" names no environment variable`,
      `write "\${NAME}", "\${NAME:-default}" or "\${NAME:?message}", or "$\${" for the characters themselves`,
    )
  }
  const text = Object.hasOwn(run.env, name) ? run.env[name] : undefined
  if (text !== undefined && (text !== '' || operator === undefined)) {
    if (text !== '') run.secrets.add(text)
    return { text, variable: name }
  }
  if (run.files.has(name)) return fromFile(name, undefined, path, run)
  if (operator === ':-') return { text: argument, variable: undefined }
  const state = text === undefined ? 'is not set' : 'is empty'
  const reason = operator === ':?' && argument !== '' ? `: ${argument}` : ''
  const noDefault = operator === ':?' || isSecretPath(path)
  const help = noDefault
    ? 'set it, or add it to .env'
    : `set it, add it to .env, or give a default: "\${${name}:-…}"`
  const message = `environment variable ${name} ${state}${reason}`
  run.diagnostics.push({ code: 'CFG040', severity: 'error', path, message, help })
  return nothing
}

/** A default replaces a missing file. */
function fromFile(name: string, otherwise: string | undefined, path: DiagnosticPath, run: Run): Substitution {
  const file = run.files.get(name)
  if (file !== undefined && 'text' in file) {
    if (file.text !== '') run.secrets.add(file.text)
    return { text: file.text, variable: name }
  }
  if (otherwise !== undefined) return { text: otherwise, variable: undefined }
  const [where, reason] = file === undefined ? [name, 'it was not read'] : [file.written, file.reason]
  const variable = name.startsWith('file:') ? '' : `, which ${name}_FILE names,`
  run.diagnostics.push({
    code: 'CFG047',
    severity: 'error',
    path,
    message: `the file ${where}${variable} cannot be read: ${reason}`,
    help: 'it holds the value and nothing else, in at most 64 KB; is it mounted, and may this user read it?',
  })
  return { text: '', variable: undefined }
}

const NULL = /^(?:~|null|Null|NULL)$/
const TRUE = /^(?:true|True|TRUE)$/
const FALSE = /^(?:false|False|FALSE)$/
const INTEGER = /^[-+]?\d+$/
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** Like YAML's core schema. Infinities, numbers that would lose digits, and the empty text stay text. */
export function parseTypedScalar(text: string): string | number | boolean | null {
  if (NULL.test(text)) return null
  if (TRUE.test(text)) return true
  if (FALSE.test(text)) return false
  const number = INTEGER.test(text) || FLOAT.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return text
  return INTEGER.test(text) && !Number.isSafeInteger(number) ? text : number
}
