// Finds the content-types that a write changes: the entry's own, and those whose entries gain or lose a link.

import type { Attribute } from '../model/attribute.ts'
import { listComponents } from '../model/attribute-targets.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'

export interface ChangedTypes {
  /** `joins`: a new entry joins entries of other locales, and so gets shared links. */
  byWrite(plan: WritePlan, joins?: boolean): ReadonlySet<ContentType>
  listTypes(plan: WritePlan): readonly ContentType[]
  /** A delete removes every link from and to the entry. */
  byDelete(type: ContentType): ReadonlySet<ContentType>
}

export function createChangedTypes({ contentTypes }: Model): ChangedTypes {
  const known = new Map<Schema, ReadonlySet<ContentType>>()

  function linkedFrom(schema: Schema): ReadonlySet<ContentType> {
    let linked = known.get(schema)
    if (linked === undefined) {
      const attributes = [...schema.attributes.values()]
      const within = attributes.flatMap(listComponents).flatMap((component) => [...linkedFrom(component)])
      linked = new Set([...attributes.flatMap(listTargets), ...within])
      known.set(schema, linked)
    }
    return linked
  }

  const alone = new Map<Schema, ReadonlySet<ContentType>>()

  function listTypes({ schema }: WritePlan): readonly ContentType[] {
    const type = contentTypes.get(schema.uid)
    return type === undefined ? [] : [type]
  }

  function onlyItself(plan: WritePlan): ReadonlySet<ContentType> {
    let types = alone.get(plan.schema)
    if (types === undefined) {
      types = new Set(listTypes(plan))
      alone.set(plan.schema, types)
    }
    return types
  }

  return {
    listTypes,
    byWrite(plan, joins = false) {
      const { schema, links, morphs, components } = plan
      if (!joins && links.length + morphs.length + components.length === 0) return onlyItself(plan)
      return new Set([
        ...listTypes(plan),
        ...(joins ? linkedFrom(schema) : []),
        ...[...links, ...morphs].flatMap(({ attribute }) => listTargets(attribute)),
        // Replaced components lose their links.
        ...components
          .flatMap(({ attribute }) => listComponents(attribute))
          .flatMap((component) => [...linkedFrom(component)]),
      ])
    },
    byDelete(type) {
      const linking = [...contentTypes.values()].filter((other) => linkedFrom(other).has(type))
      return new Set([type, ...linkedFrom(type), ...linking])
    },
  }
}

function listTargets(attribute: Attribute): readonly ContentType[] {
  if (attribute.kind === 'media') return [attribute.target]
  if (attribute.kind !== 'relation') return []
  return attribute.target === undefined ? attribute.targets : [attribute.target]
}
