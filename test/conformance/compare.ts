// A recorded answer against ours: equal, equal but for the wording of messages, or different (README.md "Equal").

import { createHash } from 'node:crypto'
import { type MadeUid, madeUids } from './made-uids.ts'
import { maskPaths } from './mask.ts'
import type { RecordedCase } from './recorded-case.ts'
import { isRoleMoment, isSameValue } from './represented-values.ts'

export interface Answer {
  readonly status: number
  readonly contentType: string | undefined
  /** Parsed JSON, or text. */
  readonly body: unknown
}

export interface Comparison {
  /** `represented`: the same values, some of them written as a ruling says (`represented-values.ts`). */
  readonly verdict: 'equal' | 'wording' | 'represented' | 'different'
  /** Each with its path, what was recorded and what came. */
  readonly differences: readonly string[]
}

/** What else may differ in a corpus. */
export interface Likeness {
  /** Whether the `id` beside a `documentId` may be any number: it is one of a row, which publishing replaces. */
  readonly anyRowId: boolean
  /** Takes out of a text what is made anew in every run, so that it can be listed. */
  withoutMade(text: string): string
}

export const strictLikeness: Likeness = { anyRowId: false, withoutMade: (text) => text }

/** Names of attributes that hold components: the ids of what stands there are not compared. */
export type ComponentNames = ReadonlySet<string>

export function compareAnswers(
  one: RecordedCase,
  ours: Answer,
  names: { readonly components: ComponentNames },
  likeness = strictLikeness,
): Comparison {
  const { response } = one
  if (response === null) return { verdict: 'equal', differences: [] }
  const differences: string[] = []
  const wordings: string[] = []
  const represented: string[] = []
  if (response.status !== ours.status)
    differences.push(`status: recorded ${response.status}, got ${ours.status}`)
  const type = response.headers['content-type']
  if (type !== ours.contentType) differences.push(`content-type: recorded ${type}, got ${ours.contentType}`)
  const [expected, actual] = maskPaths(one, response.body, withoutExplanation(withoutEntryMeta(ours.body)))
  const comparing: Comparing = {
    components: names.components,
    likeness,
    made: madeUids.get(one.id),
    unordered: one.unordered === true,
    differences,
    wordings,
    represented,
  }
  compareValues(comparing, '$', expected, actual, false)
  if (differences.length > 0) return { verdict: 'different', differences: [...differences, ...wordings] }
  if (represented.length > 0) return { verdict: 'represented', differences: represented }
  return wordings.length > 0
    ? { verdict: 'wording', differences: wordings }
    : { verdict: 'equal', differences: [] }
}

interface Comparing {
  readonly components: ComponentNames
  readonly likeness: Likeness
  /** The uid that is made here and was left empty there. */
  readonly made: MadeUid | undefined
  readonly unordered: boolean
  readonly differences: string[]
  readonly wordings: string[]
  readonly represented: string[]
}

/** Sentences in which the recorded server's validation library says that a value is of the wrong type. */
const TYPE_CAST = /but the final value was: /

function compareValues(
  comparing: Comparing,
  path: string,
  expected: unknown,
  actual: unknown,
  isComponent: boolean,
): void {
  if (Array.isArray(expected) && Array.isArray(actual)) {
    compareLists(comparing, path, expected, actual, isComponent)
    return
  }
  if (isObject(expected) && isObject(actual)) {
    compareObjects(comparing, path, expected, actual, isComponent)
    return
  }
  if (Object.is(expected, actual)) return
  const { made } = comparing
  const difference = shown(comparing, path, expected, actual)
  const isCast = typeof expected === 'string' && typeof actual === 'string' && TYPE_CAST.test(expected)
  if (
    isSameValue(expected, actual) ||
    isRoleMoment(path, expected, actual) ||
    (expected === null && path === made?.path && actual === made.uid)
  )
    comparing.represented.push(difference)
  else if (isCast && path.endsWith('.message')) comparing.wordings.push(difference)
  else comparing.differences.push(difference)
}

function compareLists(
  comparing: Comparing,
  path: string,
  expected: readonly unknown[],
  actual: readonly unknown[],
  isComponent: boolean,
): void {
  if (expected.length !== actual.length) {
    comparing.differences.push(
      `${path}: recorded ${expected.length} elements, got ${actual.length}: ${told(comparing, actual)}`,
    )
    return
  }
  const [first, second] = comparing.unordered ? [byId(expected), byId(actual)] : [expected, actual]
  for (const [index, element] of first.entries())
    compareValues(comparing, `${path}[${index}]`, element, second[index], isComponent)
}

function compareObjects(
  comparing: Comparing,
  path: string,
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  isComponent: boolean,
): void {
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const at = `${path}.${key}`
    // There are no administrators here who could have created or changed an entry.
    if ((key === 'createdBy' || key === 'updatedBy') && !Object.hasOwn(actual, key)) continue
    if ((key === 'exception' || key === 'stacktrace') && path.endsWith('.extensions')) continue
    if (!Object.hasOwn(actual, key))
      comparing.differences.push(`${at}: missing, recorded ${told(comparing, expected[key])}`)
    else if (!Object.hasOwn(expected, key))
      comparing.differences.push(`${at}: not recorded, got ${told(comparing, actual[key])}`)
    else if (key === 'id' && (isComponent || isRow(comparing, expected, actual))) {
      if (typeof expected[key] !== typeof actual[key])
        comparing.differences.push(shown(comparing, at, expected[key], actual[key]))
    } else compareValues(comparing, at, expected[key], actual[key], comparing.components.has(key))
  }
}

/** Entries of our answers carry `meta.availableLocales`, those of the recorded ones did not. */
function withoutEntryMeta(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEntryMeta)
  if (!isObject(value)) return value
  const isEntry = Object.hasOwn(value, 'id') && Object.hasOwn(value, 'attributes')
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(isEntry && key === 'meta' && isEntryMeta(inner)))
      .map(([key, inner]) => [key, withoutEntryMeta(inner)]),
  )
}

/** In development a refusal explains itself; there it said nothing. */
function withoutExplanation(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExplanation)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'explain')
      .map(([key, inner]) => [key, withoutExplanation(inner)]),
  )
}

function isEntryMeta(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.keys(value).join() === 'availableLocales' &&
    Array.isArray(value['availableLocales'])
  )
}

function byId(list: readonly unknown[]): readonly unknown[] {
  const keyOf = (element: unknown): string | number => {
    if (!isObject(element)) return 0
    return typeof element['documentId'] === 'string' ? element['documentId'] : Number(element['id'])
  }
  return [...list].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

const LONGEST_SHOWN = 300

function isRow({ likeness }: Comparing, ...entries: readonly Readonly<Record<string, unknown>>[]): boolean {
  return likeness.anyRowId && entries.every((entry) => Object.hasOwn(entry, 'documentId'))
}

function shown(comparing: Comparing, path: string, expected: unknown, actual: unknown): string {
  return `${path}: recorded ${told(comparing, expected)}, got ${told(comparing, actual)}`
}

/** Of long values the beginning, and what the rest comes to. */
function told({ likeness }: Comparing, value: unknown): string {
  const text = likeness.withoutMade(withoutChance(JSON.stringify(value) ?? 'nothing'))
  if (text.length <= LONGEST_SHOWN) return text
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
  return `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters, ${digest})`
}

/** Days before the recording are those of seeded data, and count. */
const MOMENT = /\b20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:.]+Z/g
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
/** The random end of a file's name. */
const RANDOM = /_(?!0{6})[0-9a-f]{10}(?=[."])/g

/** What differs from run to run. */
function withoutChance(text: string): string {
  return text.replace(MOMENT, '<moment>').replace(TOKEN, '<token>').replace(RANDOM, '_<random>')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
