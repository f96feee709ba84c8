// Parameters of a request -> the SQL of its read and the values of its placeholders, as each database is asked:
// `reads/*.case`, and for conditions alone `conditions/*.case`. The parents of a populated level are 11 and 12.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { PlanValue, Query } from '../../../../src/plan/read-plan.ts'
import { postgresDialect } from '../../../../src/storage/drivers/postgres/postgres-dialect.ts'
import { sqliteDialect } from '../../../../src/storage/drivers/sqlite/sqlite-dialect.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { compileRead } from '../../../../src/storage/sql/compile-read.ts'
import type { Dialect } from '../../../../src/storage/sql/dialect.ts'
import { bindValues } from '../../../../src/storage/sql/parameter.ts'
import type { BoundStatement, PopulateStatements } from '../../../../src/storage/sql/read-statements.ts'
import { runTables } from '../../../support/table-file.ts'
import { model, questionOf, shown } from '../../plan/library.ts'
import { inLines } from './sql-lines.ts'

const layout = buildLayout(model)

const here = dirname(fileURLToPath(import.meta.url))

runTables(join(here, 'reads'), (given) => {
  const question = questionOf(given)
  return [sqliteDialect, postgresDialect].flatMap((dialect) => statements(question, dialect)).join('\n')
})

runTables(join(here, 'conditions'), (given) => {
  const { plan, values } = questionOf(given)
  return [sqliteDialect, postgresDialect]
    .flatMap((dialect) => {
      const { count } = compileRead(plan, layout, dialect)
      const [, condition = '(none)'] = / where (.*)$/.exec(count.statement.text) ?? []
      return [`-- ${dialect.name}`, ...inLines(condition), ...valuesOf(count, values)]
    })
    .join('\n')
})

test('more than fifty parts of a condition are bracketed in halves', () => {
  const parts = Array.from({ length: 51 }, (_, index) => `filters[$or][${index}][pages]=${index}`)
  const { plan } = questionOf(['book', ...parts])
  const { statement } = compileRead(plan, layout, sqliteDialect).count
  const short = statement.text.replaceAll('`t1`.`pages` = +?', 'p')
  expect(short).toMatch(/ where \(\(p( or p){25}\) or \(p( or p){24}\)\)$/)
})

function statements({ plan, page, values }: Query, dialect: Dialect): readonly string[] {
  const { rows, count, populate } = compileRead(plan, layout, dialect)
  return [
    `-- ${dialect.name}`,
    ...linesOf(rows, values),
    ...(page?.withCount === true ? ['-- the total', ...linesOf(count, values)] : []),
    ...populate.flatMap((one) => populateLines(one, values)),
  ]
}

function populateLines(
  { populate, levels, present }: PopulateStatements,
  values: readonly PlanValue[],
): readonly string[] {
  return [
    ...(present === undefined ? [] : [`-- types of ${populate.key}`, ...linesOf(present, values)]),
    ...levels.flatMap(({ rows, few, page, populate: below }) => [
      `-- ${populate.key}`,
      ...linesOf(rows, values),
      ...(few === undefined ? [] : [`-- ${populate.key}, where there are few`, ...linesOf(few, values)]),
      ...(page === undefined ? [] : [`-- ${populate.key}, one page`, ...linesOf(page, values)]),
      ...below.flatMap((one) => populateLines(one, values)),
    ]),
  ]
}

function linesOf(bound: BoundStatement, values: readonly PlanValue[]): readonly string[] {
  return [...inLines(bound.statement.text), ...valuesOf(bound, values)]
}

function valuesOf({ parameters }: BoundStatement, values: readonly PlanValue[]): readonly string[] {
  const given = bindValues(parameters, values, [11, 12], 1000)
  return given.length === 0 ? [] : [`  <- ${given.map(shown).join(' ')}`]
}
