// Collects the conditions under which any caller can read entries of a content-type.

import type { Expression } from '../expressions/expression.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Grants } from './rules.ts'

/** `update` counts, too: a caller who may update a draft may read it. */
const READING = ['find', 'findOne', 'update']

export function getReadingRules(granted: readonly Grants[]): (type: ContentType) => readonly Expression[] {
  return ({ uid }) =>
    granted
      .flatMap(({ rules }) => READING.flatMap((action) => rules.get(`${uid}.${action}`) ?? []))
      .flatMap(({ where }) => where ?? [])
}
