// Variables and arguments are read as graphql-js reads them, whatever a client sends.

import {
  buildSchema,
  type FieldNode,
  type GraphQLScalarType,
  getArgumentValues,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../../src/plugins/graphql/execution/operation-limits.ts'
import { createArgumentsReader } from '../../../src/plugins/graphql/execution/read-arguments.ts'
import { createVariablesReader } from '../../../src/plugins/graphql/execution/read-variables.ts'

const schema = buildSchema(`
  scalar Even
  enum Color { RED GREEN }
  input Page { start: Int = 3 limit: Int size: Float! = 1.5 color: Color }
  input Nested { page: Page! name: String even: Even }
  input Loop { and: [Loop] loop: Loop id: ID }
  input One @oneOf { id: ID name: String }
  type Query {
    a(id: ID, must: Int! = 4, text: String = "x", flag: Boolean, color: Color, even: Even, page: Page, nested: Nested,
      loop: Loop, one: One, ids: [ID!], pages: [Page], plain: Int!): Int
  }`)
const even = schema.getType('Even') as GraphQLScalarType
even.parseValue = (value) => {
  if (typeof value !== 'number') throw new TypeError('no number')
  return value % 2 === 0 ? value / 2 : undefined
}

const TYPES =
  'ID ID! Int Int! Float String String! Boolean! Color Color! Even Even! Page Page! Nested Loop One [Int] [Page!]!'.split(
    ' ',
  )
const DEFAULTS: Readonly<Record<string, string>> = { Int: '7', Page: '{ limit: 2 }', String: 'null', ID: '5' }
const VALUES: readonly unknown[] = [
  ...[null, 0, -0, 3, 4, 2 ** 31, 1.5, Number.NaN, '', '3', 'RED', 'red', true, [], [1], [[null]], {}, 5n],
  ...[
    { start: 1 },
    { start: null },
    { start: '1' },
    { size: null },
    { limit: 2, more: 1 },
    { color: 'GREEN' },
  ],
  ...[
    { page: {} },
    { page: null },
    { page: { start: 2 }, even: 4 },
    { page: {}, even: 3 },
    { page: {}, even: '' },
  ],
  ...[
    { id: 'x' },
    { id: 1, name: 'y' },
    { and: [{ id: 1 }] },
    { constructor: 1 },
    JSON.parse('{"__proto__":1}'),
  ],
]

const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, one) => (typeof one === 'bigint' ? `${one}n` : one)))

function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: plain(read()) }
  } catch (error) {
    return { error: String(error) }
  }
}

const operationOf = (text: string): OperationDefinitionNode => {
  const [operation] = parse(text).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation')
  return operation
}

function expectSameVariables(operation: OperationDefinitionNode, given: Readonly<Record<string, unknown>>) {
  const ours = createVariablesReader(schema, defaultLimits, true)
  const expected = getVariableValues(schema, operation.variableDefinitions ?? [], given, {
    maxErrors: defaultLimits.errors - 1,
    hideSuggestions: true,
  })
  for (const found of [ours(operation, given), ours(operation, given)]) {
    expect(found.errors?.map(String)).toEqual(expected.errors?.map(String))
    if (found.errors === undefined) expect(found.coerced).toStrictEqual(expected.coerced)
  }
}

test.each(TYPES)('a variable that is a %s', (type) => {
  for (const otherwise of ['', ...(DEFAULTS[type] === undefined ? [] : [` = ${DEFAULTS[type]}`])]) {
    const operation = operationOf(`query ($one: ${type}${otherwise}, $two: Int) { a(plain: 1) }`)
    expectSameVariables(operation, {})
    for (const value of VALUES) {
      expectSameVariables(operation, { one: value })
      expectSameVariables(operation, { one: value, two: 2, three: 3 })
      expectSameVariables(operation, { one: value, two: 'no' })
    }
  }
})

test('a name that objects have otherwise', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const operation = operationOf(`query ($${name}: Int) { a(plain: $${name}) }`)
    expectSameVariables(operation, {})
    expectSameVariables(operation, JSON.parse(`{"${name}":3}`))
  }
})

const ARGUMENTS = [
  '',
  'plain: 1',
  'plain: 1, id: $id, must: $int, text: $text',
  'plain: 1, id: 5, text: null, flag: true, color: RED, even: 4',
  'plain: $int',
  'plain: null',
  'plain: 1, must: null',
  'plain: 1, page: { start: $int, limit: 25 }',
  'plain: 1, page: { size: $float, color: $color }',
  'plain: 1, page: $page',
  'plain: 1, nested: { page: { start: $int }, name: $text, even: $int }',
  'plain: 1, nested: { page: $page }',
  'plain: 1, nested: { name: $text }',
  'plain: 1, loop: { and: [{ id: $id }, { loop: { id: $id } }], id: 3 }',
  'plain: 1, loop: { and: $loop }',
  'plain: 1, one: { id: $id }',
  'plain: 1, ids: [$id, "2"], pages: [{ start: $int }]',
  'plain: 1, ids: $id, pages: { start: 2 }',
  'plain: "1", even: 3',
]

test.each(ARGUMENTS)('the arguments (%s)', (text) => {
  const [node] = operationOf(`{ a${text === '' ? '' : `(${text})`} }`).selectionSet.selections
  const field = schema.getQueryType()?.getFields()['a']
  if (field === undefined) throw new Error('no field')
  const read = createArgumentsReader(field, node as FieldNode)
  const all = { id: '7', int: 2, text: 'hello', float: 0.5, color: 'RED', page: { start: 1 }, loop: null }
  const given: Readonly<Record<string, unknown>>[] = [{}, all]
  for (const name of Object.keys(all)) {
    const { [name as keyof typeof all]: _, ...others } = all
    given.push(others, { ...all, [name]: null })
  }
  for (const variables of given) {
    const expected = outcomeOf(() => getArgumentValues(field, node as FieldNode, variables))
    expect(outcomeOf(() => read(variables))).toEqual(expected)
  }
})

test('what a request changes in its arguments is not seen by the next one', () => {
  const [node] = operationOf('{ a(plain: 1, page: { limit: 2 }, ids: ["1"]) }').selectionSet.selections
  const field = schema.getQueryType()?.getFields()['a']
  if (field === undefined) throw new Error('no field')
  const read = createArgumentsReader(field, node as FieldNode)
  const expected = plain(read({}))
  const { page, ids } = read({}) as { page: Record<string, unknown>; ids: string[] }
  page['limit'] = 9
  ids.push('2')
  expect(plain(read({}))).toEqual(expected)

  const operation = operationOf('query ($page: Page = { limit: 2 }) { a(plain: 1, page: $page) }')
  const readVariables = createVariablesReader(schema, defaultLimits, true)
  const { coerced } = readVariables(operation, {}) as { coerced: { page: object } }
  Object.assign(coerced.page, { limit: 9 })
  expect(readVariables(operation, {})).toMatchObject({ coerced: { page: { start: 3, size: 1.5, limit: 2 } } })
})
