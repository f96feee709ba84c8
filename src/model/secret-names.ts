// Names whose values no message may repeat: private attributes and passwords of the model, and names that plugins and
// extensions give to secrets (`currentPassword`, `resetToken`).

import { listComponents } from './attribute-targets.ts'
import type { AttributeHolder } from './content-type.ts'

const CALLED_SECRET = /password|secret|token|^(?:code|confirmation)$/i

export function secretNames(
  holders: Iterable<Pick<AttributeHolder, 'attributes'>>,
): (name: string) => boolean {
  const names = new Set<string>()
  for (const { attributes } of holders) {
    for (const attribute of attributes.values()) if (attribute.private) names.add(attribute.name)
  }
  return (name) => names.has(name) || CALLED_SECRET.test(name)
}

/** A content-type with all components that its payload may contain. */
export function payloadHolders(type: AttributeHolder): ReadonlySet<AttributeHolder> {
  const holders = new Set([type])
  for (const holder of holders) {
    for (const attribute of holder.attributes.values()) {
      for (const component of listComponents(attribute)) holders.add(component)
    }
  }
  return holders
}
