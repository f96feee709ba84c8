// Refuses meaningless keys of a relation, and two relations that look like sides of one but do not name each
// other: links from one would not show on the other.

import type { RelationKind } from '../attribute.ts'
import type { CheckContext } from '../checking.ts'
import type { AttributeSource, TypeSource } from '../type-source.ts'

/** Strapi's content-type builder gives these kinds only to two-sided relations. */
const twins: Readonly<Record<string, string>> = { oneToMany: 'manyToOne', manyToMany: 'manyToMany' }

export function checkUnpairedRelations({ sources, fault }: CheckContext): void {
  for (const type of sources.types.values()) {
    for (const attribute of type.attributes.filter(isUnpaired)) {
      const target = sources.types.get(attribute.config.target ?? '')
      const others = target?.attributes.filter((other) => isTwin(attribute, type, other, target)) ?? []
      const [other] = others
      if (target === undefined || other === undefined) continue
      const { name, path } = attribute
      const shown = others.map((candidate) => `"${candidate.name}"`).join(' or ')
      fault(
        'MOD036',
        path,
        `"${name}" and ${shown} of ${target.uid} look like the two sides of one relation`,
        {
          help:
            `if they are, add "mappedBy: ${other.name}" to it and "inversedBy: ${name}" to the other; ` +
            `if it is a relation of its own, add "oneWay: true"`,
        },
      )
    }
  }
}

function isUnpaired({ config }: AttributeSource): boolean {
  const { type, inversedBy, mappedBy, oneWay } = config
  return type === 'relation' && inversedBy === undefined && mappedBy === undefined && oneWay !== true
}

function isTwin(one: AttributeSource, type: TypeSource, other: AttributeSource, target: TypeSource): boolean {
  if (!isUnpaired(other) || other.config.target !== type.uid) return false
  if (twins[one.config.relation ?? ''] !== other.config.relation) return false
  // Of equals the second reports; two lists of the same content-type, such as related and similar products,
  // are independent.
  return one.config.relation !== other.config.relation || `${target.uid}` < `${type.uid}`
}

const keys = ['target', 'inversedBy', 'mappedBy', 'morphBy'] as const

type Key = (typeof keys)[number]

const meaningful = {
  oneToOne: ['target', 'inversedBy', 'mappedBy'],
  oneToMany: ['target', 'inversedBy', 'mappedBy'],
  manyToOne: ['target', 'inversedBy', 'mappedBy'],
  manyToMany: ['target', 'inversedBy', 'mappedBy'],
  morphOne: ['target', 'morphBy'],
  morphMany: ['target', 'morphBy'],
  morphToOne: [],
  morphToMany: [],
} as const satisfies Record<RelationKind, readonly Key[]>

export function checkRelationKeys({ sources, fault }: CheckContext): void {
  for (const { attributes } of [...sources.types.values(), ...sources.components.values()]) {
    for (const { config, path } of attributes) {
      if (config.type !== 'relation' || !isRelationKind(config.relation)) continue
      const taken: readonly Key[] = meaningful[config.relation]
      for (const key of keys) {
        if (config[key] === undefined || taken.includes(key)) continue
        fault('MOD034', [...path, key], `${config.relation} takes no ${key}`, {
          at: 'key',
          help: taken.length === 0 ? 'it points at any content-type' : `it takes ${taken.join(', ')}`,
        })
      }
    }
  }
}

function isRelationKind(kind: string | undefined): kind is RelationKind {
  return kind !== undefined && Object.hasOwn(meaningful, kind)
}
