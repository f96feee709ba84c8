// Searches in two steps: what is counted first, and what is read when a word turns out to be common.

import { expect, test } from 'vitest'
import { everyPermission } from '../../../../src/access/principal.ts'
import { buildModel } from '../../../../src/model/build-model.ts'
import { getFacts } from '../../../../src/plan/plan-facts.ts'
import { planFind } from '../../../../src/plan/plan-read.ts'
import { parseParams } from '../../../../src/rest/parse-params.ts'
import { postgresDialect } from '../../../../src/storage/drivers/postgres/postgres-dialect.ts'
import { fileDialect, sqliteDialect } from '../../../../src/storage/drivers/sqlite/sqlite-dialect.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { compileRead } from '../../../../src/storage/sql/compile-read.ts'
import { withoutIndexes } from '../../../../src/storage/sql/compile-search.ts'
import { bindValues } from '../../../../src/storage/sql/parameter.ts'
import { configOf } from '../../model/config-of.ts'

const outcome = buildModel(
  configOf({
    contentTypes: {
      note: {
        index: [{ text: ['line', 'body'] }],
        attributes: { line: { type: 'string' }, body: { type: 'text' } },
      },
    },
  }),
  { contributions: [], checks: [] },
)
if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics))
const note = outcome.value.contentTypes.get('api::note.note')
if (note === undefined) throw new Error('no note')
const layout = buildLayout(outcome.value)

const questionOf = (query: string) => planFind(note, parseParams(query, { strict: true }), everyPermission)

const indexesIn = (text: string) => [...text.matchAll(/ match /g)].length

for (const [query, indexes] of [
  ['filters[line][$contains]=abc', 1],
  ['filters[line][$startsWithi]=abc&filters[body][$endsWith]=xyz', 2],
  ['_q=abc', 2],
  ['filters[line][$contains]=ab', 0],
  ['filters[line][$contains]=%F0%9F%98%80%F0%9F%98%80', 0],
  ['filters[line][$notContains]=abc', 0],
  ['filters[$not][line][$contains]=abc', 0],
  ['filters[line]=abc', 0],
] as const) {
  test(query, () => {
    const { plan, values } = questionOf(query)
    const read = compileRead(plan, layout, fileDialect)
    expect(indexesIn(read.rows.statement.text)).toBe(indexes)
    expect(indexesIn(read.count.statement.text)).toBe(indexes)
    expect(read.search?.comparisons.length ?? 0).toBe(indexes)
    expect(compileRead(plan, layout, sqliteDialect).rows.statement.text).not.toContain(' match ')
    const { rows } = compileRead(plan, layout, postgresDialect)
    expect([...rows.statement.text.matchAll(/ like /g)].length).toBe(indexes)
    expect(bindValues(rows.parameters, values, []).length).toBe(rows.parameters.length)
  })
}

test('a comparison whose word is common does without its index', () => {
  const { plan } = questionOf('_q=abc')
  const [first] = compileRead(plan, layout, fileDialect).search?.comparisons ?? []
  if (first === undefined) throw new Error('nothing is indexed')
  const rest = withoutIndexes(plan, new Set([first]))
  expect(getFacts(rest).key).not.toBe(getFacts(plan).key)
  expect(indexesIn(compileRead(rest, layout, fileDialect).rows.statement.text)).toBe(1)
})

test('every character of a term is only itself', () => {
  const encodes = [fileDialect, postgresDialect].map(({ textIndex }) => textIndex?.encode('A"%_\\* x'))
  expect(encodes).toEqual(['"A""%" AND "_\\*" AND "* x"', '%a"\\%\\_\\\\* x%'])
})
