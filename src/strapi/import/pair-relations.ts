// Repairs relations that Strapi tolerates and a configuration may not have: two sides that both own, a side that is
// missing or names another, and kinds that do not fit. Each repair is a note.

import { buildRecord } from '../../lib/is-record.ts'
import { type ImportNote, ImportNotes } from './import-notes.ts'
import { formatText, type Json } from './strapi-source.ts'

interface PairedTypes {
  readonly contentTypes: ReadonlyMap<string, Json>
  readonly notes: readonly ImportNote[]
}

type Side = Record<string, unknown>

/** A side of a relation that names its other side. */
interface NamedSide {
  readonly uid: string
  readonly name: string
  readonly side: Side
}

const REVERSE: Readonly<Record<string, string>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

export function pairRelations(given: ReadonlyMap<string, Json>): PairedTypes {
  const notes = new ImportNotes()
  const contentTypes = new Map([...given].map(([uid, schema]) => [uid, copySchema(schema)] as const))
  const find = (uid: string, name: string): Side | undefined => {
    const side = contentTypes.get(uid)?.attributes[name]
    return side?.['type'] === 'relation' ? side : undefined
  }
  for (const [uid, { attributes }] of contentTypes) {
    for (const [name, side] of Object.entries(attributes)) {
      const isPaired = side['type'] === 'relation' && Object.hasOwn(REVERSE, formatText(side['relation']))
      // Both keys are a fault that only the author can decide.
      if (!isPaired || getOther(side) === undefined || (side['inversedBy'] && side['mappedBy'])) continue
      pair({ uid, name, side }, find, notes)
    }
  }
  return {
    contentTypes: new Map([...contentTypes].map(([uid, { schema }]) => [uid, schema])),
    notes: notes.list,
  }
}

function copySchema(schema: Json): {
  readonly schema: Json
  readonly attributes: Readonly<Record<string, Side>>
} {
  const attributes = Object.fromEntries(
    Object.entries(buildRecord(schema['attributes'])).map(([name, one]) => [
      name,
      withoutNulls(buildRecord(one)),
    ]),
  )
  return { schema: { ...schema, attributes }, attributes }
}

function withoutNulls(attribute: Json): Side {
  return Object.fromEntries(Object.entries(attribute).filter(([, value]) => value !== null))
}

function pair(
  named: NamedSide,
  find: (uid: string, name: string) => Side | undefined,
  notes: ImportNotes,
): void {
  const { uid, name, side } = named
  const otherPlace = `${formatText(side['target'])}.${formatText(getOther(side))}`
  const other = find(formatText(side['target']), formatText(getOther(side)))
  const fault = findFault(named, other, otherPlace)
  if (fault !== undefined || other === undefined) {
    delete side['inversedBy']
    delete side['mappedBy']
    notes.add('different', `${uid}.${name} has one side now: ${fault}`)
    return
  }
  const [kind, otherKind] = [side['relation'], other['relation']]
  const fitting = fitKinds(formatText(kind), formatText(otherKind))
  if (fitting !== undefined && otherKind !== fitting[1]) {
    side['relation'] = fitting[0]
    other['relation'] = fitting[1]
    notes.add(
      'different',
      `${uid}.${name} is ${fitting[0]} and ${otherPlace} ${fitting[1]} now: they were ${kind} and ${otherKind}`,
    )
  }
  nameBack(named, other, otherPlace, notes)
}

/** Why the other side cannot be one. */
function findFault(
  { uid, name, side }: NamedSide,
  other: Side | undefined,
  otherPlace: string,
): string | undefined {
  if (other === undefined || other === side || other['target'] !== uid)
    return `${otherPlace} is no relation to ${uid}`
  const back = getOther(other)
  if (back !== undefined && back !== name) return `${otherPlace} names ${formatText(back)} as its other side`
  const [kind, otherKind] = [formatText(side['relation']), formatText(other['relation'])]
  if (fitKinds(kind, otherKind) === undefined)
    return `${otherPlace} is ${otherKind}, which does not fit ${kind}`
  return undefined
}

function nameBack({ name, side }: NamedSide, other: Side, otherPlace: string, notes: ImportNotes): void {
  const ownKey = side['inversedBy'] === undefined ? 'mappedBy' : 'inversedBy'
  const otherKey = ownKey === 'inversedBy' ? 'mappedBy' : 'inversedBy'
  if (other[otherKey] !== undefined) return
  const isNamed = other[ownKey] !== undefined
  delete other[ownKey]
  other[otherKey] = name
  notes.add(
    'different',
    isNamed
      ? `${otherPlace} says ${otherKey} now: both sides said ${ownKey}`
      : `${otherPlace} names ${name} as its other side now, which names it`,
  )
}

/** The kinds of both sides: `oneToMany` beside `oneToOne` is `manyToOne` from there, which holds the same links. */
function fitKinds(kind: string, otherKind: string): readonly [string, string] | undefined {
  if (otherKind === REVERSE[kind]) return [kind, otherKind]
  if (kind === 'oneToMany' && otherKind === 'oneToOne') return ['oneToMany', 'manyToOne']
  if (kind === 'oneToOne' && otherKind === 'oneToMany') return ['manyToOne', 'oneToMany']
  if (kind === 'oneToMany' && otherKind === 'oneToMany') return ['manyToMany', 'manyToMany']
  return undefined
}

function getOther(side: Side): unknown {
  return side['inversedBy'] ?? side['mappedBy']
}
