// Turns a publication filter (never published, modified, …) into a condition on a document's version.

import type { ContentType } from '../model/content-type.ts'
import { ALWAYS, NEVER } from './conditions/condition-logic.ts'
import type { Params, PublicationFilter, PublicationState } from './params.ts'
import { countPredicate, type PlanContext } from './planning.ts'
import type { Condition } from './read-plan.ts'

export function planPublicationFilter(
  planning: PlanContext,
  type: ContentType,
  { publicationFilters = [] }: Params,
  state: PublicationState,
): readonly Condition[] {
  const { document } = type
  if (document?.versions !== true) return []
  const { rows } = document
  const has = (which: keyof typeof rows): Condition => {
    countPredicate(planning)
    return { kind: 'related', attribute: rows[which], condition: undefined }
  }
  const published = state === 'live'
  const getCondition = (publicationFilter: PublicationFilter): Condition => {
    switch (publicationFilter) {
      case 'never-published':
        return published ? NEVER : not(has('version'))
      case 'has-published-version':
        return published ? ALWAYS : has('version')
      case 'modified':
        return has('modified')
      case 'unmodified':
        return { kind: 'and', conditions: [has('version'), not(has('modified'))] }
      case 'never-published-document':
        return published ? NEVER : not(has('published'))
      case 'has-published-version-document':
        return published ? ALWAYS : has('published')
      case 'published-without-draft':
        return published ? not(has('version')) : NEVER
      case 'published-with-draft':
        return published ? has('version') : NEVER
    }
  }
  return publicationFilters.map(getCondition)
}

function not(condition: Condition): Condition {
  return { kind: 'not', condition }
}
