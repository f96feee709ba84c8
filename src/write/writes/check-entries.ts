// Checks the `checks` of content-types on written entries, within the transaction, by queries.

import { createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import type { ContentType, EntryCheck } from '../../model/content-type.ts'
import { runAll, type Work } from '../../storage/database.ts'
import { bindValues } from '../../storage/sql/parameter.ts'
import type { Storage } from '../storage.ts'

interface BrokenCheck {
  readonly id: number
  readonly check: EntryCheck
}

export function* readBroken(
  storage: Storage,
  type: ContentType,
  ids: readonly number[],
): Work<readonly BrokenCheck[]> {
  if (type.checks.length === 0) return []
  const reads = storage.brokenReads(type)
  const results = yield* runAll(
    reads.map(({ rows, values }) => ({
      statement: rows.statement,
      values: bindValues(rows.parameters, [ids, ...values.slice(1)], []),
    })),
  )
  return reads.flatMap(({ check }, index) =>
    (results[index] ?? []).map(([id]) => ({ id: Number(id), check })),
  )
}

/** Throws ValidationError. */
export function* assertChecks(storage: Storage, type: ContentType, ids: readonly number[]): Work<void> {
  if (type.checks.length === 0) return
  const broken = yield* readBroken(storage, type, ids)
  const checks = new Set(broken.map(({ check }) => check))
  if (checks.size > 0) throw createValidationErrors([...checks].map(buildFault))
}

export function buildFault({ attribute, message }: EntryCheck): ErrorItem {
  return { path: attribute === undefined ? [] : [attribute], message, name: 'ValidationError' }
}
