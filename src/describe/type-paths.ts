// Where the content-types of the file are served, below the server's address.

import type { Config } from '../config/config.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'

/** Those that the file declares, in its order. */
export function ownTypes(model: Model): readonly ContentType[] {
  return [...model.contentTypes.values()].filter((type) => type.uid.startsWith('api::'))
}

/** `/api/articles`; of a single type `/api/homepage`. */
export function pathOfType(
  { kind, singularName, pluralName }: ContentType,
  { rest }: Pick<Config, 'rest'>,
): string {
  return `${rest.prefix}/${kind === 'singleType' ? singularName : pluralName}`
}
