// Finds the content-types that a write changes: the entry's own, and those whose entries gain or lose a link, also
// through components and through attributes that localizations share.

import type { Attribute } from '../model/attribute.ts'
import { listComponents } from '../model/attribute-targets.ts'
import type { ContentType, Schema } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'

export interface ChangedTypes {
  /** `joins`: whether a new entry joins entries of other locales, and so gets the links that they share. */
  byWrite(plan: WritePlan, joins?: boolean): ReadonlySet<ContentType>
  /** The content-type of a plan; none for the plan of a component. */
  listTypes(plan: WritePlan): readonly ContentType[]
  /** A delete removes every link from and to the entry. */
  byDelete(type: ContentType): ReadonlySet<ContentType>
}

export function createChangedTypes({ contentTypes }: Model): ChangedTypes {
  const known = new Map<Schema, ReadonlySet<ContentType>>()

  /** The content-types that a content-type or component may link to, including links of the components in it. */
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

  /** For each content-type, and for components of none. */
  const alone = new Map<Schema, ReadonlySet<ContentType>>()

  function listTypes({ schema }: WritePlan): readonly ContentType[] {
    const type = contentTypes.get(schema.uid)
    return type === undefined ? [] : [type]
  }

  /** The types that a write without links and components changes: most writes. */
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
        // Components that are replaced lose their links.
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
