// Names under which something stands that no message repeats: private attributes and passwords of the model, and what
// plugins and extensions call such (`currentPassword`, `resetToken`).

import type { AttributeHolder, Component } from './content-type.ts'

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

/** A content-type with all components that a payload of it may hold. */
export function payloadHolders(type: AttributeHolder): ReadonlySet<AttributeHolder> {
  const holders = new Set([type])
  for (const holder of holders) {
    for (const attribute of holder.attributes.values()) {
      const components: readonly Component[] =
        attribute.kind === 'component'
          ? [attribute.component]
          : attribute.kind === 'dynamiczone'
            ? attribute.components
            : []
      for (const component of components) holders.add(component)
    }
  }
  return holders
}
