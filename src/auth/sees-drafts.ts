// Whether a caller is shown drafts.

import type { ContentType } from '../model/content-type.ts'
import type { Permissions } from './principal.ts'

/** With `publicDrafts` everybody who may find; else only those who may update. */
export function seesDrafts(
  type: ContentType,
  permissions: Permissions,
  { publicDrafts }: { readonly publicDrafts: boolean },
): boolean {
  return publicDrafts || permissions.can(`${type.uid}.update`)
}
