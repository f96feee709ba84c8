// `index` and `unique` of content-types: their indexes, and that SQLite finds and sorts with them.

import { expect, test } from 'vitest'
import { everyPermission } from '../../../../src/access/principal.ts'
import { buildModel } from '../../../../src/model/build-model.ts'
import { planFind } from '../../../../src/plan/plan-read.ts'
import { parseParams } from '../../../../src/rest/parse-params.ts'
import { run } from '../../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../../src/storage/drivers/memory/memory-database.ts'
import { applyMigration } from '../../../../src/storage/migrate.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { compileRead } from '../../../../src/storage/sql/compile-read.ts'
import { bindValues } from '../../../../src/storage/sql/parameter.ts'
import { statement } from '../../../../src/storage/sql/statement.ts'
import { configOf } from '../../model/config-of.ts'

const outcome = buildModel(
  configOf({
    contentTypes: {
      berth: { attributes: { name: { type: 'string' } } },
      slot: {
        unique: [['code'], ['berth', 'day'], ['day', 'hour']],
        index: ['price', ['berth', 'hour', 'day'], ['berth'], ['createdAt'], 'code'],
        attributes: {
          code: { type: 'string' },
          day: { type: 'date' },
          hour: { type: 'integer' },
          price: { type: 'decimal' },
          berth: { type: 'relation', relation: 'manyToOne', target: 'api::berth.berth' },
        },
      },
    },
  }),
  { contributions: [], checks: [] },
)
if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics))
const model = outcome.value
const slot = model.contentTypes.get('api::slot.slot')
if (slot === undefined) throw new Error('no slot')
const layout = buildLayout(model)

test('relations of a set are left to the join table, and no index is made twice', () => {
  const { indexes, together } = layout.tables.get('slots') ?? {}
  expect(indexes?.map(({ columns, unique }) => [columns.join(), unique])).toEqual([
    ['code', true],
    ['created_at', false],
    ['updated_at', false],
    ['day,hour', true],
    ['price', false],
    ['hour,day', false],
  ])
  expect(together).toEqual([
    {
      columns: ['day'],
      links: [
        {
          table: 'slots_berth_links',
          near: 'source_id',
          far: 'target_id',
          origin: 'api::slot.slot.berth',
        },
      ],
    },
  ])
})

test.each([
  ['sort=price:desc', /USING INDEX slots_price_index/],
  ['filters[price][$gt]=3&sort=price', /SEARCH .* USING INDEX slots_price_index/],
  ['filters[hour]=3&filters[day][$gt]=2024-06-01', /SEARCH .* USING (COVERING )?INDEX slots_hour_day_index/],
])('%s is answered with an index, without sorting everything', async (query, plan) => {
  const database = await MemoryDatabase.open({ broke() {}, replaced() {}, failed() {} })
  await applyMigration(database, layout, { destructive: 'refuse' })
  const question = planFind(slot, parseParams(query, { strict: true }), everyPermission)
  const { rows } = compileRead(question.plan, layout, database.dialect)
  const explain = statement(`explain query plan ${rows.statement.text}`, true)
  const steps = await database.read(() => run(explain, bindValues(rows.parameters, question.values, [])))
  const text = steps.map((row) => row[3]).join('\n')
  expect(text).toMatch(plan)
  if (query.includes('sort')) expect(text).not.toContain('TEMP B-TREE FOR ORDER BY')
  await database.close()
})
