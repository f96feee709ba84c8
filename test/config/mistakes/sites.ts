// Where a valid file can be broken: its keys and the values that are names, with their places. What an author names
// freely (content-types, attributes, texts) is no site: another name there is another valid file.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

type Path = readonly (string | number)[]

/** A key or value that means something to cms-run. */
export interface Site {
  readonly role: 'key' | 'value'
  readonly path: Path
  readonly word: string
  /** Offsets of the word; quotes are left out. */
  readonly start: number
  readonly end: number
  /** Of a key: the value behind it, when it stands on the same line. */
  readonly value?: { readonly data: unknown; readonly start: number; readonly end: number } | undefined
}

const schema = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../schemas/cms.schema.json'), 'utf8'),
) as { definitions: Record<string, { properties?: object }> }

/** Every key that the schema names anywhere. */
export const vocabulary: ReadonlySet<string> = new Set(keysOf(schema))

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'properties' ? [...Object.keys(inner), ...Object.values(inner).flatMap(keysOf)] : keysOf(inner),
  )
}

const typeKeys = new Set(Object.keys(schema.definitions['contentType']?.properties ?? {}))

/** Keys whose values, or the items of them, are names. */
const NAMES: ReadonlySet<string | number> = new Set([
  'type',
  'relation',
  'target',
  'component',
  'components',
  'mappedBy',
  'inversedBy',
  'targetField',
  'kind',
  'client',
  'environment',
  'permissions',
  'only',
  'except',
  'extends',
  'allowedTypes',
])

export function sitesOf(text: string): readonly Site[] {
  const document = parseDocument(text, { lineCounter: new LineCounter() })
  const sites: Site[] = []
  visit(document.contents, [])
  return sites

  function visit(node: Node | null, path: Path): void {
    if (isMap(node)) {
      for (const pair of node.items) {
        if (!isPair(pair) || !isScalar(pair.key) || typeof pair.key.value !== 'string') continue
        const inner = [...path, pair.key.value]
        const value = pair.value as Node | null
        if (isKnownKey(inner)) add('key', inner, pair.key.value, pair.key.range, value)
        if (!isFree(inner)) visit(value, inner)
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) visit(item as Node, [...path, index])
    } else if (isScalar(node) && typeof node.value === 'string' && isName(path)) {
      add('value', path, node.value, node.range, null)
    }
  }

  function add(
    role: Site['role'],
    path: Path,
    word: string,
    range: readonly number[] | null | undefined,
    value: Node | null,
  ): void {
    const at = text.indexOf(word, range?.[0] ?? 0)
    if (at < 0 || at > (range?.[0] ?? 0) + 1) return
    const [start = 0, end = 0] = value?.range ?? []
    const sameLine = end > start && !text.slice(at, end).includes('\n')
    sites.push({
      role,
      path,
      word,
      start: at,
      end: at + word.length,
      value: sameLine ? { data: value?.toJSON(), start, end } : undefined,
    })
  }
}

/** Below these keys stands content, or settings of somebody else. */
function isFree(path: Path): boolean {
  const last = path.at(-1)
  if (path[0] === 'data') return path.length > 3
  return ['default', 'pluginOptions', 'enum', 'headers', 'examples'].includes(String(last))
}

function isKnownKey(path: Path): boolean {
  const [section, , third] = path
  const last = String(path.at(-1))
  if (last.length < 3 || last.startsWith('$')) return false
  if (section === 'data') return path.length === 2 || (path.length === 4 && typeof path[2] === 'number')
  if (path.length === 1) return true
  if (section === 'policies' || section === 'middlewares' || section === 'extensions') return false
  if (section === 'contentTypes' || section === 'components' || section === 'singleTypes') {
    if (path.length === 2) return false
    if (path.length === 3) return typeKeys.has(last)
    if (third === 'attributes' && path.length === 4) return false
    return third === 'attributes'
      ? path.length === 5 && vocabulary.has(last)
      : typeKeys.has(String(third)) && vocabulary.has(last)
  }
  if (section === 'auth' && path[1] === 'roles') return path.length > 3 && vocabulary.has(last)
  return vocabulary.has(last)
}

function isName(path: Path): boolean {
  const [section, , third] = path
  const last = path.findLast((step) => typeof step === 'string') ?? ''
  // `type: [open, paid]`: the values of an enumeration are named freely.
  if (last === 'type' && typeof path.at(-1) === 'number') return false
  if (section === 'data' || path.length < 2) return false
  const declares = section === 'contentTypes' || section === 'components' || section === 'singleTypes'
  if (declares && third === 'attributes' && path.length === 4) return true
  if (declares && path.length === 3 && !typeKeys.has(String(third))) return true
  if (section === 'auth' && path[1] === 'roles' && path.length === 4 && typeof path[3] === 'number')
    return true
  return NAMES.has(last)
}
