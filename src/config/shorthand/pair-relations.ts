// Finds the other side of relations, and derives the kind of relations in short form from it.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { RelationForm } from './attribute-form.ts'
import type { Expansion } from './expansion.ts'
import { findNamedSide } from './named-side.ts'
import type { Names } from './names.ts'
import {
  areAlike,
  expandSides,
  formatSide,
  formatType,
  getKind,
  getNaming,
  listCandidates,
  type Side,
} from './relation-sides.ts'

export interface PendingRelation extends RelationForm {
  readonly path: DiagnosticPath
  readonly name: string
  readonly schema: string | undefined
}

export function pairRelations(expansion: Expansion, pending: readonly PendingRelation[], names: Names): void {
  const sides = [...pending.map(getSide), ...expandSides(expansion)]
  const open = new Set(sides)
  const settle = (side: Side, key?: 'inversedBy' | 'mappedBy', other?: Side) => {
    if (open.delete(side)) write(expansion, side, key, other)
  }
  for (const side of sides) {
    if (side.form?.of === undefined && side.named === undefined) continue
    const found = findNamedSide(side, sides, names)
    if (found === undefined) continue
    if ('fault' in found) {
      expansion.refuse(side.path, 'CFG074', found.at, found.fault, found.help)
      open.delete(side)
      continue
    }
    const [key, back] = found.owns
      ? (['inversedBy', 'mappedBy'] as const)
      : (['mappedBy', 'inversedBy'] as const)
    settle(side, key, found.other)
    settle(found.other, back, side)
  }
  const free = [...open]
  for (const side of free) {
    if (!open.has(side)) continue
    const others = listCandidates(side, free)
    const [other] = others
    if (other === undefined) settle(side)
    else if (others.length === 1 && listCandidates(other, free).length === 1 && !areAlike(side, other)) {
      const owns = isOwner(side, other)
      settle(side, owns ? 'inversedBy' : 'mappedBy', other)
      settle(other, owns ? 'mappedBy' : 'inversedBy', side)
    } else {
      open.delete(side)
      // The model reports the ambiguity of sides in full form.
      if (side.form === undefined) continue
      refuseAmbiguous(expansion, side, others, free, names)
    }
  }
}

function getSide(form: PendingRelation): Side {
  const { path, name, schema, target, rest } = form
  // The other side is a list unless the target is declared as a list.
  const many = target?.many ?? true
  return { path, name, schema, target: target?.uid, many, form, ...getNaming(rest) }
}

/** Of equal sides, the one whose name sorts first, so the order of the file does not matter. */
function isOwner(side: Side, other: Side): boolean {
  if (side.many !== other.many) return !side.many
  return `${side.schema}.${side.name}` < `${other.schema}.${other.name}`
}

function write(expansion: Expansion, side: Side, key: string | undefined, other: Side | undefined): void {
  const { path, form } = side
  const named = key === undefined || other === undefined ? {} : { [key]: other.name }
  if (form === undefined) {
    if (side.named === undefined) expansion.replace(path, { ...Object(expansion.at(path)), ...named })
    return
  }
  // Without another side an entry may be shared: many articles have one author.
  const relation = getKind(side.many, other?.many ?? true)
  const target = form.target?.uid ?? other?.schema
  expansion.replace(
    path,
    { type: 'relation', relation, target, ...named, ...form.rest },
    form.target === undefined ? [[Object.keys(named), ['of']]] : [[['target'], form.target.from]],
  )
}

function refuseAmbiguous(
  expansion: Expansion,
  side: Side,
  others: readonly Side[],
  free: readonly Side[],
  names: Names,
): void {
  const better = others.some((other) => {
    if (other.form === undefined || areAlike(side, other)) return false
    const back = listCandidates(other, free)
    return back.length > others.length || (back.length === others.length && other.many && !side.many)
  })
  // Already reported at the other side.
  const twin = others.some(
    (other) => areAlike(side, other) && other.form !== undefined && other.name < side.name,
  )
  if (better || (twin && others.length === 1)) {
    expansion.drop(side.path)
    return
  }
  const shown = others.map((other) => formatSide(other, names))
  const target = formatType(side.target ?? '', names)
  const ways = shown.map((name) => `"${side.name}: { ${side.many ? '' : `target: ${target}, `}of: ${name} }"`)
  const own = `"${side.name}: { target: ${side.many ? `[${target}]` : target}, oneWay: true }"`
  expansion.refuse(
    side.path,
    'CFG075',
    [],
    `"${side.name}" could be the other side of ${shown.join(' or ')}, or a relation of its own`,
    `write ${[...ways, own].join(' or ')}`,
  )
}
