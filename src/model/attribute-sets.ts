// Resolves sets of attributes that are unique together (`unique`) or indexed (`index`).

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type { AttributeNames, IndexedNames } from '../config/config.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { Attribute, AttributeSet, ScalarAttribute } from './attribute.ts'
import { type CheckContext, formatSuggestion } from './checking.ts'
import { JSON_NAME, type JsonPath, MAX_PATH_NAMES } from './json-path.ts'
import type { SchemaDrafts } from './schema-drafts.ts'

type TypeDraft = SchemaDrafts['types'] extends ReadonlyMap<string, infer T> ? T : never

export function listUniqueAlone(sets: readonly AttributeNames[] | undefined): readonly string[] {
  const alone = (sets ?? []).flatMap((set) => (typeof set === 'string' ? [set] : set.length === 1 ? set : []))
  return [...alone]
}

export function listTextIndexed(sets: readonly IndexedNames[] | undefined): readonly string[] {
  return (sets ?? []).flatMap((set) => (isTextIndex(set) ? set.text : []))
}

/** Paths inside JSON attributes by the name of the attribute: `extra.size`. */
export function collectIndexedPaths(
  sets: readonly IndexedNames[] | undefined,
): ReadonlyMap<string, readonly JsonPath[]> {
  const paths = new Map<string, readonly JsonPath[]>()
  for (const set of sets ?? []) {
    const [name, ...path] = typeof set === 'string' ? set.split('.') : []
    if (name !== undefined && path.length > 0) paths.set(name, [...(paths.get(name) ?? []), path])
  }
  return paths
}

function isTextIndex(set: IndexedNames): set is Extract<IndexedNames, { readonly text: unknown }> {
  return typeof set === 'object' && 'text' in set
}

/** Runs when relations are linked, because a set may contain one. */
export function fillAttributeSets(checking: CheckContext): void {
  for (const schema of checking.schemas.types.values()) {
    for (const key of ['unique', 'index'] as const) fillSets(schema, key, checking)
  }
}

function fillSets(schema: TypeDraft, key: 'unique' | 'index', checking: CheckContext): void {
  const { source, rules } = schema
  const written = source.config[key] ?? []
  const path = [...source.path, key]
  const names = written.filter((set) => typeof set === 'string')
  if (key === 'unique' && names.length > 1) {
    const [one, other] = names
    checking.fault('MOD093', path, 'it is not clear whether these are unique each, or together', {
      help: `write "unique: [[${names.join(', ')}]]" for together, "unique: [[${one}], [${other}]]" for each`,
    })
    return
  }
  const seen = new Set<string>()
  for (const [index, set] of written.entries()) {
    if (isTextIndex(set)) {
      checkTextIndex(schema, set.text, [...path, index, 'text'], checking)
      continue
    }
    if (key === 'index' && typeof set === 'string' && set.includes('.')) {
      checkIndexedPath(schema, set, [...path, index], checking)
      if (seen.has(set)) checking.fault('MOD095', [...path, index], `"${set}" is listed twice`)
      seen.add(set)
      continue
    }
    const resolved = resolveSet(schema, key, set, [...path, index], checking)
    if (resolved === undefined) continue
    const text = resolved.map(({ name }) => name).join(', ')
    if (seen.has(text)) checking.fault('MOD095', [...path, index], `"${text}" is listed twice`)
    seen.add(text)
    // A scalar attribute that is unique alone has its own flag.
    const alone = key === 'unique' && resolved.length === 1 && resolved[0]?.kind === 'scalar'
    if (!alone) rules[key === 'unique' ? 'unique' : 'indexed'].push(resolved)
  }
}

/** Only reports; the attributes were built with the index. */
function checkTextIndex(
  schema: TypeDraft,
  names: readonly string[],
  path: DiagnosticPath,
  checking: CheckContext,
): void {
  for (const attribute of resolveSet(schema, 'index', names, path, checking) ?? []) {
    if (attribute.kind === 'scalar' && attributeTypes[attribute.type].search === 'text' && !attribute.system)
      continue
    checking.fault(
      'MOD094',
      [...path, names.indexOf(attribute.name)],
      `"${attribute.name}" cannot be searched as text`,
      { help: 'leave it out' },
    )
  }
}

/** Only reports; the attributes were built with their paths. */
function checkIndexedPath(
  { built, source }: TypeDraft,
  written: string,
  at: DiagnosticPath,
  { fault }: CheckContext,
): void {
  const [name = '', ...path] = written.split('.')
  const attribute = built.attributes.get(name)
  if (attribute === undefined) {
    if (source.attributes.some((declared) => declared.name === name)) return
    const known = [...built.attributes.keys()]
    fault('MOD094', at, `${built.uid} has no attribute "${name}"`, {
      help: formatSuggestion(didYouMean(name, known), known),
    })
    return
  }
  if (attribute.kind !== 'scalar' || attribute.type !== 'json' || attribute.computed !== undefined)
    fault('MOD094', at, `"${written}" cannot be indexed: paths lead into json attributes that are stored`, {
      help: 'leave it out',
    })
  else if (path.length > MAX_PATH_NAMES || path.some((one) => !JSON_NAME.test(one)))
    fault(
      'MOD094',
      at,
      `"${written}" cannot be indexed: a path has at most ${MAX_PATH_NAMES} names of 1 to 100 characters, without quotes and backslashes`,
      { help: 'leave it out' },
    )
}

/** Reports attributes that cannot be part of a set. */
function resolveSet(
  schema: TypeDraft,
  key: 'unique' | 'index',
  set: AttributeNames,
  path: DiagnosticPath,
  { fault }: CheckContext,
): AttributeSet | undefined {
  const names = typeof set === 'string' ? [set] : set
  const { built, source } = schema
  const system: ReadonlyMap<string, ScalarAttribute> = built.systemAttributes
  const found: AttributeSet[number][] = []
  for (const [index, name] of names.entries()) {
    const at = typeof set === 'string' ? path : [...path, index]
    const attribute = built.attributes.get(name) ?? system.get(name)
    const [head = ''] = name.split('.')
    if (attribute === undefined && built.attributes.get(head)?.type === 'json') {
      const help = key === 'index' ? `list it alone: "index: [${name}]"` : 'leave it out'
      fault('MOD094', at, `"${name}" cannot be part of a set: it is a path inside JSON`, { help })
      continue
    }
    if (attribute === undefined) {
      // The attribute is declared, but has a fault that is reported already.
      if (source.attributes.some((declared) => declared.name === name)) continue
      const known = [...built.attributes.keys(), ...system.keys()]
      const help = formatSuggestion(didYouMean(name, known), known)
      fault('MOD094', at, `${built.uid} has no attribute "${name}"`, { help })
      continue
    }
    if (found.some((other) => other.name === name)) {
      fault('MOD095', at, `"${name}" is listed twice`)
      continue
    }
    const reason = reasonAgainst(attribute)
    if (reason !== undefined) {
      const what = key === 'unique' ? 'be unique' : 'be indexed'
      fault('MOD094', at, `"${name}" cannot ${what}: ${reason}`, { help: 'leave it out' })
    } else if (attribute.kind === 'scalar' || attribute.kind === 'relation') found.push(attribute)
  }
  return found.length === names.length ? found : undefined
}

function reasonAgainst(attribute: Attribute): string | undefined {
  switch (attribute.kind) {
    case 'scalar': {
      if (attribute.computed !== undefined) return 'it is computed'
      const { unique, secret } = attributeTypes[attribute.type]
      return unique === 'never' || secret ? `values of type ${attribute.type} cannot be compared` : undefined
    }
    case 'relation':
      if (attribute.target === undefined) return 'it may lead to any content-type'
      return attribute.cardinality === 'many' ? 'it leads to several entries' : undefined
    case 'media':
      return 'it holds files'
    case 'component':
    case 'dynamiczone':
      return 'it holds components'
  }
}
