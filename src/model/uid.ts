// Identifies content-types, components and actions.

declare const uidBrand: unique symbol

/** `api::<api>.<type>` or `plugin::<plugin>.<type>`. */
export type Uid = string & { readonly [uidBrand]: true }

const UID = /^(?:api|plugin)::[a-z0-9][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/

export function parseUid(text: string): Uid | undefined {
  return UID.test(text) ? (text as Uid) : undefined
}
