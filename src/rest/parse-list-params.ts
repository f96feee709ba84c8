// Parses list params for the stream of events, as a content-type's routes do.

import type { Permissions } from '../access/principal.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { assertSeesDrafts } from '../operations/implementations.ts'
import type { Params } from '../plan/params.ts'
import { parseDocumentParams } from './documents/parse-document-params.ts'
import { parseParams, type QueryRules } from './parse-params.ts'
import { parseQueryString } from './query-string.ts'

export type ParseListParams = (query: string, type: ContentType, permissions: Permissions) => Params

export function createParseListParams(
  model: Model,
  rules: QueryRules & { readonly defaultLimit: number },
): ParseListParams {
  const isUid = (uid: string): boolean => model.contentTypes.has(uid) || model.components.has(uid)
  return (query, type, permissions) => {
    if (type.document === undefined) return parseParams(query, rules)
    const { defaultLimit, populateDeep } = rules
    const params = parseDocumentParams(parseQueryString(query), type, permissions, {
      strict: false,
      defaultLimit,
      isUid,
      populateDeep,
    })
    if (type.document.versions) assertSeesDrafts(type, params, permissions)
    return params
  }
}
