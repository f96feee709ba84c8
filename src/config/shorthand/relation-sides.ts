// The sides of relations in short form and in Strapi's form.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { getUid } from '../normalize-content-type.ts'
import type { RelationForm } from './attribute-form.ts'
import type { Expansion } from './expansion.ts'
import { getLastPart, type Names } from './names.ts'

export interface Side {
  readonly path: DiagnosticPath
  readonly name: string
  readonly schema: string | undefined
  /** The uid of its target; undefined if `of` determines it. */
  readonly target: string | undefined
  readonly many: boolean
  readonly form: RelationForm | undefined
  /** Whether the kind of a side in full form gives the other side many entries. */
  readonly otherMany?: boolean
  readonly named: string | undefined
  readonly owns: boolean
  readonly oneWay: boolean
}

const kinds: Readonly<Record<string, readonly [many: boolean, otherMany: boolean]>> = {
  oneToOne: [false, false],
  manyToOne: [false, true],
  oneToMany: [true, false],
  manyToMany: [true, true],
}

export function getKind(many: boolean, otherMany: boolean): string {
  const [kind = ''] = Object.entries(kinds).find(([, [a, b]]) => a === many && b === otherMany) ?? []
  return kind
}

export function expandSides(expansion: Expansion): readonly Side[] {
  return expansion.entries(['contentTypes']).flatMap(([key]) =>
    expansion.entries(['contentTypes', key, 'attributes']).flatMap(([name, value]): Side[] => {
      if (!isRecord(value) || value['type'] !== 'relation' || typeof value['target'] !== 'string') return []
      const { relation, target } = value
      const kind = Object.hasOwn(kinds, String(relation)) ? kinds[String(relation)] : undefined
      if (kind === undefined) return []
      const [many, otherMany] = kind
      const path = ['contentTypes', key, 'attributes', name]
      const rest = { ...getNaming(value), form: undefined }
      return [{ path, name, schema: getUid(key), target, many, otherMany, ...rest }]
    }),
  )
}

export function getNaming({
  inversedBy,
  mappedBy,
  oneWay,
}: Readonly<Record<string, unknown>>): Pick<Side, 'named' | 'owns' | 'oneWay'> {
  const named = [inversedBy, mappedBy].find((other) => typeof other === 'string')
  return { named, owns: inversedBy !== undefined, oneWay: oneWay === true }
}

/** In full form, two `oneToOne` are two relations, as in Strapi. */
export function listCandidates(side: Side, sides: readonly Side[]): readonly Side[] {
  if (isClosed(side)) return []
  return sides.filter(
    (other) =>
      other !== side &&
      !isClosed(other) &&
      other.target === side.schema &&
      other.schema === side.target &&
      (side.form !== undefined || other.form !== undefined || side.many || other.many) &&
      (side.otherMany ?? other.many) === other.many &&
      (other.otherMany ?? side.many) === side.many,
  )
}

function isClosed({ schema, target, named, oneWay }: Side): boolean {
  return schema === undefined || target === undefined || named !== undefined || oneWay
}

/** `related` and `accessories` of products are two relations, `parent` and `children` of pages one. */
export function areAlike(a: Side, b: Side): boolean {
  return a.schema === b.schema && a.many === b.many
}

export function formatSide({ schema = '', name }: Side, names: Names): string {
  return `${formatType(schema, names)}.${name}`
}

export function formatType(uid: string, names: Names): string {
  const [only, another] = names.getTargets(getLastPart(uid))
  return only === uid && another === undefined ? getLastPart(uid) : uid
}
