// Refuses keys of a relation that have no meaning for its kind.

import type { RelationKind } from './attribute.ts'
import type { Checking } from './checking.ts'

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

export function checkRelationKeys({ sources, fault }: Checking): void {
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
