// Counts the entries of content-types as their lists do.

import { everyPermission, type Permissions } from '../access/principal.ts'
import type { ContentType } from '../model/content-type.ts'
import type { LiveApp } from './console-context.ts'

/** By uid, in the default locale, with which the lists begin, too. Each document has one draft in each locale. */
export async function countEntries(
  { model, content }: Pick<LiveApp, 'model' | 'content'>,
  types: readonly ContentType[],
  permissions: Permissions = everyPermission,
): Promise<Readonly<Record<string, number>>> {
  const everyEntry = model.apiVersion.documents ? 'draft' : 'preview'
  const counts: Record<string, number> = {}
  for (const type of types) {
    const publicationState = permissions.seesDrafts(type) ? everyEntry : 'live'
    const locale = type.locale === undefined ? {} : { locale: String(type.locale.default) }
    counts[type.uid] = await content.count(type, { publicationState, ...locale }, permissions)
  }
  return counts
}
