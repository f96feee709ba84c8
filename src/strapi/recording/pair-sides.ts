// Pairs guessed relations that are two sides of one relation, because their entries name each other.

import { buildRecord } from '../../lib/is-record.ts'
import type { Json } from '../import/strapi-source.ts'
import { formatText } from '../import/strapi-source.ts'
import { getRelated } from './exchange.ts'

type Samples = ReadonlyMap<number, Json>

interface Side {
  readonly uid: string
  readonly name: string
  readonly target: string
  readonly many: boolean
  readonly samples: Samples
}

export function pairSides(
  contentTypes: ReadonlyMap<string, Json>,
  samples: ReadonlyMap<string, Samples>,
): ReadonlyMap<string, Json> {
  const sides = [...contentTypes].flatMap(([uid, schema]) =>
    Object.entries(buildRecord(schema['attributes'])).flatMap(([name, definition]): readonly Side[] => {
      const { type, target, relation } = buildRecord(definition)
      const own = samples.get(uid)
      if (type !== 'relation' || own === undefined) return []
      return [{ uid, name, target: formatText(target), many: relation === 'manyToMany', samples: own }]
    }),
  )
  const replaced = new Map<string, Json>()
  for (const one of sides) {
    const [other, ...more] = sides.filter((each) => areLinked(one, each))
    const isOnly = other !== undefined && sides.filter((each) => areLinked(other, each)).length === 1
    if (!isOnly || more.length > 0 || replaced.has(buildKey(one))) continue
    // Of `manyToOne` and `oneToMany`, the former holds the links.
    const [owner, mapped] = one.many && !other.many ? [other, one] : [one, other]
    replaced.set(buildKey(owner), { relation: getKind(owner, mapped), inversedBy: mapped.name })
    replaced.set(buildKey(mapped), { relation: getKind(mapped, owner), mappedBy: owner.name })
  }
  return new Map([...contentTypes].map(([uid, schema]) => [uid, withReplaced(uid, schema, replaced)]))
}

function getKind(from: Side, to: Side): string {
  return `${to.many ? 'many' : 'one'}To${from.many ? 'Many' : 'One'}`
}

function withReplaced(uid: string, schema: Json, replaced: ReadonlyMap<string, Json>): Json {
  const attributes = Object.entries(buildRecord(schema['attributes'])).map(([name, attribute]) => [
    name,
    { ...buildRecord(attribute), ...replaced.get(buildKey({ uid, name })) },
  ])
  return { ...schema, attributes: Object.fromEntries(attributes) }
}

function buildKey({ uid, name }: Pick<Side, 'uid' | 'name'>): string {
  return `${uid} ${name}`
}

/** Whether all links that both sides show agree, with at least one link. */
function areLinked(one: Side, other: Side): boolean {
  if (one.target !== other.uid || other.target !== one.uid || buildKey(one) === buildKey(other)) return false
  const there = agreements(one, other)
  const back = agreements(other, one)
  return there !== undefined && back !== undefined && there + back > 0
}

/** Undefined where the other side lacks a link. */
function agreements(one: Side, other: Side): number | undefined {
  let count = 0
  for (const [id, sample] of one.samples) {
    for (const linked of listLinks(sample[one.name])) {
      const sampleThere = other.samples.get(linked)
      // A relation that was not populated there proves nothing.
      if (sampleThere?.[other.name] === undefined) continue
      if (!listLinks(sampleThere[other.name]).includes(id)) return undefined
      count += 1
    }
  }
  return count
}

function listLinks(value: unknown): readonly number[] {
  return getRelated(value)?.entries.map(({ id }) => id) ?? []
}
