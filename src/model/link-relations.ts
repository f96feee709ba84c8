// Links the two sides of every relation, and reports contradictions once per pair.

import { didYouMean } from '../lib/did-you-mean.ts'
import type { RelationAttribute, RelationKind } from './attribute.ts'
import { type CheckContext, formatSuggestion } from './checking.ts'
import type { ContentType } from './content-type.ts'
import type { AttributeSource, TypeSource } from './type-source.ts'

type LinkContext = { -readonly [Key in keyof RelationAttribute]: RelationAttribute[Key] }

export function linkRelations(checking: CheckContext): void {
  const reported = new Set<string>()
  for (const { source, attributes } of checking.schemas.types.values()) {
    for (const attributeSource of source.attributes) {
      const attribute = attributes.get(attributeSource.name)
      if (attribute?.kind !== 'relation' || attribute.target === undefined) continue
      const side: Side = {
        type: source,
        attribute: attributeSource,
        target: attribute.target,
        checking,
        reported,
      }
      const other = attribute.relation.startsWith('morph') ? findMorphSide(side) : findOtherSide(side)
      if (other !== undefined) (attribute as LinkContext).inverse = other
    }
  }
  for (const { source } of checking.schemas.components.values()) {
    for (const attribute of source.attributes) refuseOtherSide(attribute, checking)
  }
}

interface Side {
  readonly type: TypeSource
  readonly attribute: AttributeSource
  readonly target: ContentType
  readonly checking: CheckContext
  readonly reported: Set<string>
}

const reverseKind = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
} as const satisfies Partial<Record<RelationKind, RelationKind>>

type PairedKind = keyof typeof reverseKind

function findOtherSide(side: Side): RelationAttribute | undefined {
  const { type, attribute, target, checking } = side
  const { name, config, path } = attribute
  if (config.inversedBy !== undefined && config.mappedBy !== undefined) {
    side.reported.add(getPair(side, config.inversedBy)).add(getPair(side, config.mappedBy))
    checking.fault(
      'MOD028',
      [...path, 'mappedBy'],
      `"${name}" has inversedBy and mappedBy: a side has one of them`,
      {
        at: 'key',
      },
    )
    return undefined
  }
  const key = config.inversedBy === undefined ? 'mappedBy' : 'inversedBy'
  const otherName = config[key]
  if (otherName === undefined) return undefined
  const kind = config.relation as PairedKind
  const backKey = key === 'inversedBy' ? 'mappedBy' : 'inversedBy'
  const other = getSource(side, otherName)
  if (other === undefined) {
    reportMissing(side, key, otherName, {
      near: (candidate) => candidate.config.target === type.uid,
      instead: `${otherName}: { type: relation, relation: ${reverseKind[kind]}, target: ${type.uid}, ${backKey}: ${name} }`,
    })
    return undefined
  }
  const otherSide = `"${otherName}" of ${target.uid}`
  const fail = (code: 'MOD025' | 'MOD026' | 'MOD027' | 'MOD028', message: string, help?: string) => {
    const pair = getPair(side, otherName)
    if (side.reported.has(pair)) return undefined
    side.reported.add(pair)
    checking.fault(code, [...path, key], message, { help })
    return undefined
  }
  if (other.name === name && target.uid === type.uid) {
    return fail(
      'MOD025',
      `"${name}" cannot be its own other side`,
      `leave ${key} out for a relation with one side`,
    )
  }
  if (other.config.type !== 'relation') {
    return fail('MOD025', `${otherSide} is of type ${other.config.type}, not a relation`)
  }
  if (other.config.target !== type.uid) {
    const elsewhere = other.config.target ?? 'any content-type'
    return fail('MOD025', `${otherSide} points at ${elsewhere}, not back at ${type.uid}`)
  }
  const back = other.config.inversedBy ?? other.config.mappedBy
  if (back === undefined) {
    return fail(
      'MOD026',
      `${otherSide} does not name "${name}" as its other side`,
      `add "${backKey}: ${name}" to it`,
    )
  }
  if (back !== name) {
    // The check of the other side reports a missing attribute.
    if (!type.attributes.some((attribute) => attribute.name === back)) return undefined
    return fail('MOD026', `${otherSide} names "${back}" as its other side, not "${name}"`)
  }
  if (other.config[key] !== undefined) {
    const meaning = key === 'inversedBy' ? 'so both would own the relation' : 'so none would own the relation'
    return fail(
      'MOD028',
      `"${name}" and ${otherSide} both say ${key}, ${meaning}`,
      `write ${backKey} on one of them`,
    )
  }
  if (other.config.relation !== reverseKind[kind]) {
    const message = `${kind} does not fit ${otherSide}, which is ${other.config.relation}`
    return fail('MOD027', message, `the other side of ${kind} is ${reverseKind[kind]}`)
  }
  return getBuilt(side, otherName)
}

function findMorphSide(side: Side): RelationAttribute | undefined {
  const { attribute, target, checking } = side
  const { name, config, path } = attribute
  if (config.required === true) {
    checking.fault(
      'MOD033',
      [...path, 'required'],
      `"${name}" is written on its other side, so required is not checked here`,
      {
        at: 'key',
        severity: 'warning',
      },
    )
  }
  const { morphBy } = config
  if (morphBy === undefined) {
    checking.fault('MOD030', path, `"${name}" is ${config.relation} and needs morphBy`, {
      help: `name the morphToOne or morphToMany attribute of ${target.uid} that it shows`,
    })
    return undefined
  }
  const other = getSource(side, morphBy)
  if (other === undefined) {
    reportMissing(side, 'morphBy', morphBy, {
      near: (candidate) => isMorphTo(candidate),
      instead: `${morphBy}: { type: relation, relation: ${config.relation === 'morphOne' ? 'morphToOne' : 'morphToMany'} }`,
    })
    return undefined
  }
  if (!isMorphTo(other)) {
    const kind = other.config.relation ?? other.config.type
    checking.fault(
      'MOD030',
      [...path, 'morphBy'],
      `"${morphBy}" of ${target.uid} is ${kind}, not morphToOne or morphToMany`,
    )
    return undefined
  }
  return getBuilt(side, morphBy)
}

function isMorphTo({ config }: AttributeSource): boolean {
  return config.relation === 'morphToOne' || config.relation === 'morphToMany'
}

function getPair({ type, attribute, target }: Side, otherName: string): string {
  return [`${type.uid} ${attribute.name}`, `${target.uid} ${otherName}`].sort().join(' ')
}

function reportMissing(
  { attribute, target, checking }: Side,
  key: 'inversedBy' | 'mappedBy' | 'morphBy',
  otherName: string,
  { near, instead }: { near: (candidate: AttributeSource) => boolean; instead: string },
): void {
  const candidates = listAttributes(target, checking)
  const fitting = candidates.filter(near).map(({ name }) => name)
  const meant = didYouMean(otherName, fitting)
  checking.fault('MOD024', [...attribute.path, key], `${target.uid} has no attribute "${otherName}"`, {
    help: meant === undefined ? `add to ${getPlace(target)}: ${instead}` : formatSuggestion(meant, []),
  })
}

function getPlace(target: ContentType): string {
  return target.sourceKey ?? `contentTypes, under "${target.uid}"`
}

/** An inverse side could not name the component's entry. */
function refuseOtherSide({ name, path, config }: AttributeSource, { fault }: CheckContext): void {
  for (const key of ['inversedBy', 'mappedBy', 'morphBy'] as const) {
    if (config[key] === undefined) continue
    fault('MOD029', [...path, key], `"${name}" stands in a component, where a relation has one side only`, {
      at: 'key',
      help: `remove ${key}, or move the relation to the content-types that use the component`,
    })
  }
}

function listAttributes(target: ContentType, { sources }: CheckContext): readonly AttributeSource[] {
  return sources.types.get(target.uid)?.attributes ?? []
}

function getSource({ target, checking }: Side, name: string): AttributeSource | undefined {
  return listAttributes(target, checking).find((attribute) => attribute.name === name)
}

function getBuilt({ target }: Side, name: string): RelationAttribute | undefined {
  const other = target.attributes.get(name)
  return other?.kind === 'relation' ? other : undefined
}
