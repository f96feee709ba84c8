// Replaces references under `data` (ids, `$ref`s, names, nested entries) with ids.

import { didYouMean } from '../../lib/did-you-mean.ts'
import { isRecord } from '../../lib/is-record.ts'
import { formatSuggestion, showValue } from '../checking.ts'
import type { ContentType } from '../content-type.ts'
import { type EntryNames, listNamingAttributes } from './entry-names.ts'
import type { DataModel, Draft, Expansion, Reference } from './expansion.ts'
import { findDataType, suggestDataType } from './find-data-type.ts'
import { isId, type NumberedEntries } from './number-entries.ts'

export interface ReferenceContext extends DataModel {
  readonly numbered: NumberedEntries
  readonly names: EntryNames
  readonly fault: Expansion['fault']
}

/** Reports an unresolved value, and leaves it as it is. */
export function resolveReference(reference: Reference, resolving: ReferenceContext): void {
  const { relation, set, nested, from } = reference
  const found = nested ?? find(reference, resolving)
  if (found === undefined) return
  const { id, type } = getInLocale(found, from)
  set(relation.target === undefined ? { __type: type.uid, id } : id)
}

/** Picks the localization in the locale of the referring entry. */
export function getInLocale(found: Draft, from: Draft): Draft {
  const locale = getLocale(from)
  return found.group?.members.find((member) => getLocale(member) === locale) ?? found
}

function getLocale({ type, data }: Draft): unknown {
  return data['locale'] ?? type.locale?.default
}

function find(reference: Reference, resolving: ReferenceContext): Draft | undefined {
  const { relation, value, path } = reference
  const { target, name } = relation
  if (typeof value === 'string' && value.startsWith('$')) return findRef(reference, value.slice(1), resolving)
  if (isRecord(value) && 'id' in value) {
    const key = '__type' in value ? '__type' : 'type'
    const named = value[key]
    if (typeof named === 'string') return findTyped(reference, named, key, value['id'], resolving)
    if (target !== undefined) return findId(reference, target, value['id'], [...path, 'id'], resolving)
  }
  if (target !== undefined) return getFind(reference, target, resolving)
  const named = isRecord(value) ? value['__type'] : undefined
  if (typeof named === 'string') return unknownType(reference, named, '__type', resolving)
  resolving.fault('MOD087', path, `"${name}" takes any content-type, so each value names one`, {
    help: 'write { __type: "api::article.article", id: 1 } or a $ref',
  })
  return undefined
}

function findRef(
  { relation, path }: Reference,
  ref: string,
  { numbered, fault }: ReferenceContext,
): Draft | undefined {
  const { name, target } = relation
  const found = numbered.byRef.get(ref)
  if (found === undefined) {
    const near = didYouMean(ref, numbered.byRef.keys())
    fault('MOD082', path, `no entry has the $ref "${ref}"`, {
      help: near === undefined ? `give one entry "$ref: ${ref}"` : `did you mean "$${near}"?`,
    })
    return undefined
  }
  if (target === undefined || found.type === target) return found
  fault('MOD082', path, `"${name}" takes ${target.uid}, and "$${ref}" is an entry of ${found.type.uid}`)
  return undefined
}

function findTyped(
  reference: Reference,
  named: string,
  key: string,
  id: unknown,
  resolving: ReferenceContext,
): Draft | undefined {
  const type = findDataType(named, resolving.types)
  if (type === undefined) return unknownType(reference, named, key, resolving)
  return findId(reference, type, id, [...reference.path, 'id'], resolving)
}

function unknownType(
  { relation, path }: Reference,
  named: string,
  key: string,
  { types, fault }: ReferenceContext,
): undefined {
  const help = formatSuggestion(suggestDataType(named, types), types.keys())
  fault('MOD080', [...path, key], `"${relation.name}" names the unknown content-type "${named}"`, { help })
}

function findId(
  { relation }: Reference,
  type: ContentType,
  value: unknown,
  path: Reference['path'],
  { numbered, fault, elsewhere }: ReferenceContext,
): Draft | undefined {
  const id = asId(value)
  if (!isId(id)) {
    fault('MOD087', path, `"${relation.name}" takes the id or the $ref of an entry, not ${showValue(value)}`)
    return undefined
  }
  const found = numbered.find(type, id)
  if (found === undefined && elsewhere(type.uid) === undefined)
    fault('MOD085', path, `there is no entry of ${type.uid} with the id ${id}`)
  return found
}

function asId(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
}

function getFind(reference: Reference, target: ContentType, resolving: ReferenceContext): Draft | undefined {
  const { relation, value, path } = reference
  const { numbered, names, elsewhere, fault } = resolving
  const id = asId(value)
  if (isId(id) && numbered.find(target, id) !== undefined) return numbered.find(target, id)
  const name = typeof value === 'number' ? String(value) : value
  if (typeof name !== 'string') return findId(reference, target, value, path, resolving)
  const called = names.find(target, name)
  const inLocale = called.filter((draft) => getLocale(draft) === getLocale(reference.from))
  const [found, ...others] = inLocale.length > 0 ? inLocale : called
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined) {
    const message = `${called.length} entries of ${target.uid} are called "${name}"`
    fault('MOD101', path, message, {
      help: 'give the one that is meant a "$ref: name", and write "$name" here',
    })
    return undefined
  }
  if (isId(id)) return findId(reference, target, value, path, resolving)
  const known = [...names.all(target), ...(elsewhere(target.uid) ?? [])]
  // A role is referred to by its type, as under `auth.users`.
  if (elsewhere(target.uid)?.includes(name) === true) return undefined
  if ((elsewhere(target.uid) ?? []).length > 0) {
    const help = formatSuggestion(didYouMean(name, known), known)
    fault('MOD061', path, `unknown ${target.singularName} "${name}"`, { help })
    return undefined
  }
  fault('MOD082', path, `"${relation.name}" names "${name}", and no entry of ${target.uid} is called that`, {
    help: helpFor(reference, target, name, known, resolving),
  })
  return undefined
}

function helpFor(
  { relation }: Reference,
  target: ContentType,
  value: string,
  known: readonly string[],
  { numbered, fileType }: ReferenceContext,
): string | undefined {
  if (numbered.byRef.get(value)?.type === target) return `did you mean "$${value}"?`
  if (target === fileType) return `a file is written "./${value.replace(/^\.?\//, '')}"`
  const near = formatSuggestion(didYouMean(value, known), known)
  if (near !== undefined) return near
  const attributes = listNamingAttributes(target).map(({ name }) => `"${name}"`)
  return attributes.length === 0
    ? `its entries have no name: make a text attribute "required" or "unique", or name the entry by a "$ref"`
    : `an entry is called by its ${attributes.join(' or ')}; to make one here, write "${relation.name}: { … }"`
}
