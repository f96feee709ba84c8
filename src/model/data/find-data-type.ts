// Finds the content-type of a name under `data`: its key, uid, singular or plural name.

import { didYouMean } from '../../lib/did-you-mean.ts'
import { toKebabCase } from '../../lib/kebab-case.ts'
import type { ContentType } from '../content-type.ts'
import { suggestUid } from '../find-target.ts'

type Types = ReadonlyMap<string, ContentType>

/**
 * `articles`, `article` and `api::article.article` are the same, and `ticketTypes` is `ticket-types`; types
 * of the file come before plugins'.
 */
export function findDataType(written: string, types: Types): ContentType | undefined {
  const name = toKebabCase(written)
  const exact = types.get(written) ?? types.get(`api::${name}.${name}`)
  if (exact !== undefined) return exact
  const called = [...types.values()].filter(
    ({ uid, singularName, pluralName }) =>
      singularName === name || pluralName === name || uid.slice(uid.lastIndexOf('.') + 1) === name,
  )
  const own = called.filter(({ uid }) => uid.startsWith('api::'))
  const [found, ...others] = own.length > 0 ? own : called
  return others.length === 0 ? found : undefined
}

export function suggestDataType(name: string, types: Types): string | undefined {
  const near = suggestUid(name, types.keys())
  if (near !== undefined) return near
  const plurals = [...types.values()].map(({ pluralName }) => pluralName)
  return didYouMean(name, plurals)
}
