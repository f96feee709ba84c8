// Compares a response with a case's expectation: of an object only the written keys, of a list all items.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'

interface Difference {
  /** In the expected value, for its position in the file. */
  readonly path: DiagnosticPath
  readonly message: string
}

/** Texts that match any value of a kind. */
const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  '<some>': (value) => value !== undefined && value !== null,
  '<text>': (value) => typeof value === 'string',
  '<number>': (value) => typeof value === 'number',
  '<boolean>': (value) => typeof value === 'boolean',
  '<list>': Array.isArray,
  '<moment>': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value),
}

const MAX_DIFFERENCES = 20
const MAX_TEXT_LENGTH = 200

export function listDifferences(expected: unknown, found: unknown): readonly Difference[] {
  const differences: Difference[] = []
  compare(expected, found, [], differences)
  return differences.slice(0, MAX_DIFFERENCES)
}

export function matches(expected: unknown, found: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(found) &&
      found.length === expected.length &&
      expected.every((one, index) => matches(one, found[index]))
    )
  if (isRecord(expected))
    return isRecord(found) && Object.entries(expected).every(([key, value]) => matches(value, found[key]))
  return isSame(expected, found)
}

function isSame(expected: unknown, found: unknown): boolean {
  const kind = typeof expected === 'string' && Object.hasOwn(KINDS, expected) ? KINDS[expected] : undefined
  return kind === undefined ? Object.is(expected, found) : kind(found)
}

function compare(expected: unknown, found: unknown, path: DiagnosticPath, into: Difference[]): void {
  const differ = (message: string): void => void into.push({ path, message: `${getName(path)} ${message}` })
  if (Array.isArray(expected)) {
    if (!Array.isArray(found)) {
      differ(`is ${shown(found)}, not a list`)
      return
    }
    for (let index = 0; index < Math.min(expected.length, found.length); index++)
      compare(expected[index], found[index], [...path, index], into)
    if (expected.length !== found.length) differ(`has ${found.length} members, not ${expected.length}`)
  } else if (isRecord(expected)) {
    if (!isRecord(found)) {
      differ(`is ${shown(found)}, not a map`)
      return
    }
    for (const [key, value] of Object.entries(expected)) compare(value, found[key], [...path, key], into)
  } else if (!isSame(expected, found)) {
    const isKind = typeof expected === 'string' && Object.hasOwn(KINDS, expected)
    differ(`is ${shown(found)}, not ${isKind ? expected.slice(1, -1) : shown(expected)}`)
  }
}

function getName(path: DiagnosticPath): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return text === '' ? 'the body' : text.replace(/^\./, '')
}

function shown(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value)
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text
}
