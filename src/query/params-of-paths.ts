// Builds the params that read the attributes at given paths, such as those of the user in access rules.

import type { Schema } from '../model/attribute.ts'
import { getSchemaBehind } from '../model/attribute-targets.ts'
import { getAttribute } from '../model/expression-scope.ts'
import type { Params, PopulateOptions } from '../plan/params.ts'

export function buildPathParams(
  schema: Schema,
  paths: readonly (readonly string[])[],
): Params & PopulateOptions {
  const fields = new Set(['id'])
  const below = new Map<string, (readonly string[])[]>()
  for (const [name, ...more] of paths) {
    if (name === undefined) continue
    if (getAttribute(schema, name)?.kind === 'scalar') fields.add(name)
    else below.set(name, [...(below.get(name) ?? []), more])
  }
  const populate = new Map(
    [...below].map(([name, further]) => {
      const field = schema.attributes.get(name)
      const target = field && getSchemaBehind(field)
      return [name, target === undefined ? {} : buildPathParams(target, further)] as const
    }),
  )
  return { fields: [...fields], publicationState: 'preview', populate }
}
