import { expect, test } from 'vitest'
import { InvariantError } from '../../../src/lib/errors/invariant.ts'
import { StatementFailure, UniqueViolation } from '../../../src/storage/database.ts'
import { buildFailure } from '../../../src/storage/drivers/sqlite/failure-of.ts'

for (const [reason, table, columns] of [
  ['UNIQUE constraint failed: a.x', 'a', ['x']],
  ['UNIQUE constraint failed: article_tags.x, article_tags.locale', 'article_tags', ['x', 'locale']],
] as const) {
  test(reason, () => {
    const failure = buildFailure(new Error(reason), 'insert')
    expect(failure).toBeInstanceOf(UniqueViolation)
    expect(failure).toMatchObject({ table, columns })
  })
}

for (const [reason, kind] of [
  ['FOREIGN KEY constraint failed', 'foreign-key'],
  ['NOT NULL constraint failed: a.x', 'constraint'],
  ['cannot store TEXT value in INTEGER column a.x', 'constraint'],
  ['out of memory', 'other'],
  ['no such table: a', 'other'],
] as const) {
  test(reason, () => {
    const failure = buildFailure(new Error(reason), 'insert into a')
    expect(failure).toBeInstanceOf(StatementFailure)
    expect(failure).toMatchObject({ kind, message: reason, statement: 'insert into a' })
  })
}

test('a complaint of sql.js that is a bare string', () => {
  expect(buildFailure('Statement closed', 'select 1')).toMatchObject({
    kind: 'other',
    message: 'Statement closed',
  })
})

test('our own mistakes stay what they are', () => {
  const mistake = new InvariantError('a mistake')
  expect(buildFailure(mistake, 'select 1')).toBe(mistake)
})
