// Expands a deep `populate` by one level, as the plugins of Strapi do (strapi-plugin-populate-deep for 4, strapi-v5-plugin-populate-deep
// for 5): lists that lead back are left out by their names. The planner asks level by level, so that its limits bound the work.

import type { Attribute } from '../model/attribute.ts'
import type { Schema } from '../model/content-type.ts'
import { isContentType } from './find-attribute.ts'
import type { DeepPopulate, PopulateOptions } from './params.ts'

const NOTHING_MORE: PopulateOptions = {}

export function expandDeep(schema: Schema, deep: DeepPopulate): ReadonlyMap<string, PopulateOptions> {
  const { ignored } = deep
  const below =
    ignored === undefined || !isContentType(schema) ? ignored : new Set([...ignored, schema.collectionName])
  const populated = new Map<string, PopulateOptions>()
  for (const attribute of schema.attributes.values()) {
    const { kind, name } = attribute
    if (kind === 'scalar' || below?.has(name) === true || leadsFromFile(schema, name)) continue
    populated.set(name, findOptions(attribute, { ...deep, ignored: below }))
  }
  return populated
}

function findOptions(attribute: Attribute, { levels, ignored, rules }: DeepPopulate): PopulateOptions {
  const isLast = levels <= 2 || attribute.kind === 'media' || attribute.name === 'localizations'
  if (isLast) return NOTHING_MORE
  if (attribute.kind === 'relation') {
    const { target } = attribute
    if (target === undefined) return NOTHING_MORE
    // The plugin for Strapi 4 follows relations to one in circles, down to the last level.
    if (rules === 'strapi-5' && ignored?.has(target.collectionName) === true) return NOTHING_MORE
    return { populate: { levels: levels - 1, ignored, rules } }
  }
  // The plugin for Strapi 4 forgets below components where it came from.
  return { populate: { levels: levels - 1, ignored: rules === 'strapi-4' ? undefined : ignored, rules } }
}

/** To the entries that show the file. */
function leadsFromFile({ uid }: Schema, name: string): boolean {
  return uid === 'plugin::upload.file' && name === 'related'
}
