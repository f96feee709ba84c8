// `create<Name>Localization`: creates an entry's version in another locale. Switching off single actions does not
// remove it, as recorded.

import { GraphQLID } from 'graphql'
import type { ContentType } from '../../../model/content-type.ts'
import { nameOfType } from '../../../model/naming.ts'
import { withFacts } from '../fields/field-facts.ts'
import type { Field } from './entry-envelopes.ts'
import type { EntryTypes } from './output-types.ts'
import type { SchemaBuilding } from './schema-building.ts'

export function localizationField(
  type: ContentType,
  types: EntryTypes,
  { shadowCrud, resolvers, localeCode }: SchemaBuilding,
): Record<string, Field> {
  const data = types.inputs.data(type)
  if (!type.localized || localeCode === undefined || data === undefined) return {}
  if (!shadowCrud.areMutationsEnabled(type.uid)) return {}
  return {
    [`create${nameOfType(type)}Localization`]: {
      type: types.one(type),
      args: { id: { type: GraphQLID }, data: { type: data }, locale: { type: localeCode } },
      resolve: resolvers.localize(type),
      extensions: withFacts({ auth: { scope: [`${type.uid}.createLocalization`] } }),
    },
  }
}
