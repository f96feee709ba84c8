// Declares how Strapi 4 and 5 differ in content: numbered rows, or versions of documents.

import type { ApiVersion } from '../config/config.ts'
import type { ContentType } from './content-type.ts'

export interface ContentRules {
  readonly name: ApiVersion
  /**
   * Entries have `documentId` and `publishedAt` in each locale; types with drafts keep a draft and a
   * published row.
   */
  readonly documents: boolean
}

export const contentRules: Readonly<Record<ApiVersion, ContentRules>> = {
  'strapi-4': Object.freeze({ name: 'strapi-4', documents: false }),
  'strapi-5': Object.freeze({ name: 'strapi-5', documents: true }),
}

export function hasVersions(type: ContentType | undefined): type is ContentType {
  return type?.document?.versions === true
}

/** As in Strapi 5. Plugins' unique names cannot be empty. */
export function allowsEmptyTexts({ uid, document }: ContentType): boolean {
  return document !== undefined && uid.startsWith('api::')
}
