// Lists names whose values messages must not repeat: private attributes, passwords, and secrets such as
// `resetToken`.

import { listComponents } from './attribute-targets.ts'
import type { Schema } from './content-type.ts'

const CALLED_SECRET = /password|secret|token|^(?:code|confirmation)$/i

export function createSecretNames(schemas: Iterable<Pick<Schema, 'attributes'>>): (name: string) => boolean {
  const names = new Set<string>()
  for (const { attributes } of schemas) {
    for (const attribute of attributes.values()) if (attribute.private) names.add(attribute.name)
  }
  return (name) => names.has(name) || CALLED_SECRET.test(name)
}

export function listPayloadSchemas(type: Schema): ReadonlySet<Schema> {
  const schemas = new Set([type])
  for (const schema of schemas) {
    for (const attribute of schema.attributes.values()) {
      for (const component of listComponents(attribute)) schemas.add(component)
    }
  }
  return schemas
}
