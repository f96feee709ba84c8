// The conditions of a configuration under which entries of a content-type can be read, whoever reads.

import type { Expression } from '../expressions/expression.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Grants } from './rules.ts'

/** Those to update count, too: who may update a draft may read it. */
const READING = ['find', 'findOne', 'update']

export function getReadingRules(granted: readonly Grants[]): (type: ContentType) => readonly Expression[] {
  return ({ uid }) =>
    granted
      .flatMap(({ rules }) => READING.flatMap((action) => rules.get(`${uid}.${action}`) ?? []))
      .flatMap(({ where }) => where ?? [])
}
