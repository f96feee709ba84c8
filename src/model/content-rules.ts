// The differences between Strapi 4 and 5 in content: whether entries are rows with numbers, or versions of documents.
// Rooms that answer requests have records of their own for their differences, by its name.

import type { ApiVersion } from '../config/config.ts'
import type { ContentType } from './content-type.ts'

export interface ContentRules {
  readonly name: ApiVersion
  /**
   * Whether an entry is a version of a document: it has a `documentId` and a `publishedAt`, in each locale, and types
   * with drafts keep a draft and a published version as two rows.
   */
  readonly documents: boolean
}

export const contentRules: Readonly<Record<ApiVersion, ContentRules>> = {
  'strapi-4': Object.freeze({ name: 'strapi-4', documents: false }),
  'strapi-5': Object.freeze({ name: 'strapi-5', documents: true }),
}

/** Whether documents of the type have a draft and a published version. */
export function hasVersions(type: ContentType | undefined): type is ContentType {
  return type?.document?.versions === true
}

/**
 * Whether several documents of the type may have the empty text in a unique attribute, as in Strapi 5. Types of plugins
 * have unique names that cannot be empty.
 */
export function emptyTextIsFree({ uid, document }: ContentType): boolean {
  return document !== undefined && uid.startsWith('api::')
}
