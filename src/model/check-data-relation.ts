// Checks the value of a relation under `data`: ids and `$ref`s must name entries that exist and have the right type.

import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { didYouMean } from '../util/did-you-mean.ts'
import { showValue, suggestion } from './checking.ts'
import type { ContentType } from './content-type.ts'
import { type DataChecking, type DataIndex, isId } from './data-index.ts'
import { nearUid } from './find-target.ts'

/** A relation or media attribute, or `localizations`. */
export interface DataRelation {
  readonly name: string
  /** Undefined for a polymorphic relation, whose values name the content-type. */
  readonly target: ContentType | undefined
  readonly cardinality?: 'one' | 'many'
}

export function checkDataRelation(
  relation: DataRelation,
  value: unknown,
  path: DiagnosticPath,
  checking: DataChecking,
): void {
  if (!Array.isArray(value)) {
    checkOne(relation, value, path, checking)
    return
  }
  if (relation.cardinality === 'one' && value.length > 1) {
    checking.fault('MOD087', path, `"${relation.name}" takes one entry, not ${value.length}`)
    return
  }
  for (const [place, item] of value.entries()) checkOne(relation, item, [...path, place], checking)
}

function checkOne(
  relation: DataRelation,
  value: unknown,
  path: DiagnosticPath,
  checking: DataChecking,
): void {
  const { name, target } = relation
  if (typeof value === 'string' && value.startsWith('$')) {
    checkRef(relation, value.slice(1), path, checking)
    return
  }
  if (typeof value === 'object' && value !== null && 'id' in value) {
    const key = '__type' in value ? '__type' : 'type'
    const named: unknown = key in value ? Reflect.get(value, key) : undefined
    if (typeof named === 'string') {
      checkType(name, named, [...path, key], checking)
      checkId(name, named, value.id, [...path, 'id'], checking)
      return
    }
    if (target !== undefined) {
      checkId(name, target.uid, value.id, [...path, 'id'], checking)
      return
    }
  }
  if (target === undefined) {
    checking.fault('MOD087', path, `"${name}" takes any content-type, so each value names one`, {
      help: 'write { __type: "api::article.article", id: 1 } or a $ref',
    })
  } else {
    // A user's role may be named by its type, as under auth.users.
    const names = entriesElsewhere(checking, target.uid) ?? []
    if (typeof value !== 'string' || names.length === 0 || /^\d+$/.test(value)) {
      checkId(name, target.uid, value, path, checking)
    } else if (!names.includes(value)) {
      checking.fault('MOD061', path, `unknown ${target.singularName} "${value}"`, {
        help: suggestion(didYouMean(value, names), names),
      })
    }
  }
}

function entriesElsewhere({ contributions }: DataChecking, uid: string): readonly string[] | undefined {
  return contributions.find((one) => one.entriesElsewhere?.[uid] !== undefined)?.entriesElsewhere?.[uid]
}

function checkRef(
  { name, target }: DataRelation,
  ref: string,
  path: DiagnosticPath,
  { fault, index }: DataChecking,
): void {
  const uid = index.refs.get(ref)
  if (uid === undefined) {
    const near = didYouMean(ref, index.refs.keys())
    fault('MOD082', path, `no entry has the $ref "${ref}"`, {
      help: near === undefined ? `give one entry "$ref: ${ref}"` : `did you mean "$${near}"?`,
    })
  } else if (target !== undefined && uid !== target.uid) {
    fault('MOD082', path, `"${name}" takes ${target.uid}, and "$${ref}" is an entry of ${uid}`)
  }
}

function checkType(name: string, uid: string, path: DiagnosticPath, { sources, fault }: DataChecking): void {
  if (sources.types.has(uid)) return
  const known = [...sources.types.keys()]
  fault('MOD080', path, `"${name}" names the unknown content-type "${uid}"`, {
    help: suggestion(nearUid(uid, known), known),
  })
}

function checkId(
  name: string,
  uid: string,
  value: unknown,
  path: DiagnosticPath,
  checking: DataChecking,
): void {
  const { sources, holders, fault, index } = checking
  if (!sources.types.has(uid)) return
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (!isId(id)) {
    fault('MOD087', path, `"${name}" takes the id or the $ref of an entry, not ${showValue(value)}`, {
      help: helpFor(holders.files?.source.uid === uid, value, index),
    })
  } else if (!index.hasId(uid, id) && entriesElsewhere(checking, uid) === undefined) {
    fault('MOD085', path, `there is no entry of ${uid} with the id ${id}`)
  }
}

function helpFor(isFile: boolean, value: unknown, index: DataIndex): string | undefined {
  if (typeof value !== 'string') return undefined
  if (index.refs.has(value)) return `did you mean "$${value}"?`
  return isFile ? 'a file is written "{ file: ./photo.png }"' : undefined
}
