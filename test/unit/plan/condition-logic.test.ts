// Conditions about values at hand: what SQL says of the same, by the oracle of test/differential.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { everyPermission } from '../../../src/access/principal.ts'
import { createSystemAttribute } from '../../../src/model/schema-drafts.ts'
import { evaluate } from '../../../src/plan/conditions/condition-logic.ts'
import { planFilter } from '../../../src/plan/conditions/plan-filter.ts'
import { operators } from '../../../src/plan/operators.ts'
import { startPlanning } from '../../../src/plan/planning.ts'
import { evaluate as asTheOracle } from '../../differential/oracle.ts'

const attributes = [
  createSystemAttribute('text', 'string', 'text'),
  createSystemAttribute('whole', 'integer', 'whole'),
]
const holder = {
  uid: 'api::thing.thing',
  displayName: 'Thing',
  collectionName: 'things',
  id: createSystemAttribute('id', 'integer', 'id'),
  attributes: new Map(attributes.map((attribute) => [attribute.name, attribute])),
}

type Row = {
  readonly id: number
  readonly text: string | null
  readonly whole: number | null
}

function matches(row: Row, filters: unknown): boolean | null {
  const planning = startPlanning(everyPermission)
  const condition = planFilter(planning, holder, filters)
  return condition === undefined
    ? true
    : evaluate(condition, planning.values, ({ name }) => row[name as keyof Row])
}

const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', '%'), maxLength: 4 })
const whole = fc.integer({ min: -3, max: 3 })
const row: fc.Arbitrary<Row> = fc.record({ id: whole, text: fc.option(text), whole: fc.option(whole) })

const leaf = fc
  .tuple(fc.constantFrom(...operators.values()), fc.constantFrom('text', 'whole'))
  .chain(([{ name, operand, asText }, attribute]) => {
    const value: fc.Arbitrary<unknown> = attribute === 'text' || asText ? text : whole
    const operands = {
      value,
      list: fc.array(value, { maxLength: 3 }),
      pair: fc.tuple(value, value),
      truth: fc.boolean(),
    }
    return operands[operand].map((given): Record<string, unknown> => ({ [attribute]: { [name]: given } }))
  })

const { filter } = fc.letrec<{ filter: Record<string, unknown> }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map(($and) => ({ $and })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map(($or) => ({ $or })),
    tie('filter').map(($not) => ({ $not })),
  ),
}))

test('every operator at random', () => {
  fc.assert(
    fc.property(row, filter, (at, filters) => {
      expect(matches(at, filters)).toBe(asTheOracle(at, filters) ?? null)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  [{ whole: { $eq: null } }, true],
  [{ text: { $in: ['a', null] } }, true],
  [{ id: { $in: ['no id'] } }, false],
  [{ id: { $notIn: ['no id'] } }, true],
  [{ id: 'no id' }, null],
  [{ text: { $between: ['A', 'b'] } }, true],
  [{ text: 'A' }, false],
  [{ text: { $eqi: 'A' } }, true],
  [{ whole: { $contains: '1' } }, null],
  [{}, true],
])('%j', (filters, expected) => {
  expect(matches({ id: 1, text: 'a', whole: null }, filters)).toBe(expected)
})
