// The TypeScript and OpenAPI names of content-types and components: the same as in GraphQL, made unique.

import type { Schema } from '../model/attribute.ts'
import type { Model } from '../model/model.ts'
import { nameOfComponent, nameOfType } from '../model/naming.ts'

interface NameRules {
  readonly reserved: Iterable<string>
  readonly endings: readonly string[]
}

const ofOpenapi: NameRules = { reserved: ['RelationChange'], endings: ['Input'] }

export function typeNames(
  model: Model,
  { reserved, endings }: NameRules = ofOpenapi,
): ReadonlyMap<Schema, string> {
  const names = new Map<Schema, string>()
  const taken = new Set<string>(reserved)
  const add = (schema: Schema, wanted: string): void => {
    const all = (name: string): readonly string[] => ['', ...endings].map((ending) => name + ending)
    let name = wanted
    for (let number = 2; all(name).some((one) => taken.has(one)); number++) name = `${wanted}${number}`
    for (const one of all(name)) taken.add(one)
    names.set(schema, name)
  }
  for (const type of model.contentTypes.values()) add(type, nameOfType(type))
  for (const component of model.components.values()) add(component, nameOfComponent(component))
  return names
}
