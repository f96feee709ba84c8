// The type names of content-types and components in TypeScript and OpenAPI: the same as in GraphQL, made unique.

import type { AttributeHolder } from '../model/attribute.ts'
import type { Model } from '../model/model.ts'
import { nameOfComponent, nameOfType } from '../model/naming.ts'

export function typeNames(model: Model): ReadonlyMap<AttributeHolder, string> {
  const names = new Map<AttributeHolder, string>()
  const taken = new Set<string>(['RelationChange'])
  const add = (holder: AttributeHolder, wanted: string): void => {
    let name = wanted
    for (let number = 2; taken.has(name) || taken.has(`${name}Input`); number++) name = `${wanted}${number}`
    taken.add(name).add(`${name}Input`)
    names.set(holder, name)
  }
  for (const type of model.contentTypes.values()) add(type, nameOfType(type))
  for (const component of model.components.values()) add(component, nameOfComponent(component))
  return names
}
