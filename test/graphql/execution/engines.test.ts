// graphql-js and graphql-jit answer alike: every document that passes the gate, whoever runs it.

import { beforeAll, describe, expect, test } from 'vitest'
import { findNulled } from '../../../src/plugins/graphql/execution/compile-operation.ts'
import { createOperations } from '../../../src/plugins/graphql/execution/create-operations.ts'
import { loadCompiler } from '../../../src/plugins/graphql/execution/load-compiler.ts'
import type { Operations } from '../../../src/plugins/graphql/execution/operations.ts'
import { randomDocument } from './random-document.ts'
import { zooSchema } from './zoo-schema.ts'

const faults: unknown[] = []

function operationsWith(compiles: 'never' | 'at-once', exposesFaults = false): Operations {
  return createOperations({
    inTransaction: (task) => task(),
    schema: zooSchema(),
    introspection: true,
    suggestions: true,
    exposesFaults,
    explains: false,
    compiles,
    isSafeAbstract: ({ name }) => name === 'Pet',
    onFault: (fault) => faults.push(fault),
  })
}

const plain = operationsWith('never')
const compiled = operationsWith('at-once')

beforeAll(async () => {
  await compiled.run({ query: '{ __typename }' }, {}, { readOnly: false })
  await loadCompiler()
  await new Promise((resolve) => setImmediate(resolve))
})

interface Body {
  readonly data?: unknown
  readonly errors?: readonly { readonly path?: readonly (string | number)[] }[]
}

/**
 * Errors have no order: fields of one selection are resolved side by side. Where a null rose, it is not settled how many
 * fields beside the one it rose from were still resolved, and may have failed: then the places of such nulls are compared.
 */
function read(body: string): unknown {
  const { errors, ...rest } = JSON.parse(body) as Body
  // Where all of it is null, one error is enough, and which is not settled.
  if (rest.data === null) return { ...rest, errors: errors !== undefined && errors.length > 0 }
  const risen = errors?.flatMap(({ path }) => findNulled(rest.data, path) ?? []) ?? []
  const compared = risen.length > 0 ? risen : errors?.map((error) => JSON.stringify(error))
  return { ...rest, errors: compared && [...new Set(compared)].sort() }
}

async function both(query: string, variables?: Record<string, unknown>): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const operations of [plain, compiled, compiled]) {
    const answer = await operations.run({ query, variables }, { name: 'Ann' }, { readOnly: false })
    answers.push({ kind: answer.kind, ...(read(answer.body) as object) })
  }
  return answers
}

const documents: readonly (readonly [name: string, query: string, variables?: Record<string, unknown>])[] = [
  ['a leaf', '{ cat { name lives } }'],
  ['aliases', '{ a: cat { n: name } b: cat { n: lives } }'],
  ['names that JavaScript knows', '{ constructor: cat { toString: name hasOwnProperty: lives } }'],
  ['a promise', '{ laterCat { name kittens { name } } }'],
  ['a null that rises to a list', '{ laterCat { kittens { lives } } }'],
  ['a null that rises to a field', '{ brokenCat { name lives } cat { name } }'],
  ['a null that rises to the root', '{ mustCat { lives } cat { name } }'],
  ['a null selected twice', '{ brokenCat { lives lives } }'],
  [
    'a union',
    '{ pets { __typename ... on Cat { name lives } ... on Dog { name barks owner { id tags } } } }',
  ],
  ['a union within', '{ cat { friends { ... on Cat { name } ... on Dog { name barks } } } }'],
  ['an item that fails in a list', '{ cat { friends { ... on Cat { name lives } } } }'],
  ['an interface', '{ named { name __typename } }'],
  ['functions, promises and getters', '{ owner { id method promise getter } }'],
  ['a generator that throws', '{ owner { tags } }'],
  ['scalars that fail', '{ picky }'],
  ['a wrong enum value', '{ diet }'],
  ['numbers', '{ numbers }'],
  ['texts', '{ texts }'],
  ['a list that is none', '{ notAList }'],
  ['a rejection', '{ fails cat { name } }'],
  ['a throw', '{ throws cat { name } }'],
  ['a throw where null may not be', '{ mustThrow }'],
  ['a refusal', '{ refuses }'],
  ['an error that is returned', '{ returnsError }'],
  ['an error for clients', '{ forClients }'],
  ['what a resolver is told', '{ x: me }'],
  ['defaults', '{ echo }'],
  ['literals', '{ echo(filter: { name: "a", diet: PLANTS, ages: 1, and: [{ not: {} }] }, ids: [1, "b"]) }'],
  ['null literals', '{ echo(filter: null, diet: null, ids: null, any: null) }'],
  ['anything', '{ echo(any: { a: [1, "x", { b: null }], c: 1.5, d: true, e: ENUM }) }'],
  ['code in a text', '{ echo(text: "`\u0024{process.exit(1)}` \\" */ \\u2028 </script>") }'],
  [
    'what a compiler takes for a date',
    '{ echo(any: "__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74dprocess.exit(1)") }',
  ],
  [
    'what a compiler takes for a number',
    '{ echo(any: ["__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8"]) }',
  ],
  [
    'variables',
    'query ($f: Filter, $d: Diet, $i: [ID!]) { echo(filter: $f, diet: $d, ids: $i) }',
    { f: { name: 'x', and: [{ diet: 'ALL' }] }, d: 'PLANTS', i: [1] },
  ],
  [
    'variables that are missing',
    'query ($n: String, $d: Diet, $a: Int) { echo(diet: $d, filter: { name: $n, diet: $d, ages: [$a, 1] }) }',
    {},
  ],
  [
    'variables within anything',
    'query ($n: Anything) { echo(any: { x: $n, y: [$n] }) }',
    { n: { deep: [1] } },
  ],
  ['a variable with a default', 'query ($m: Int = 4) { echo(must: $m) }'],
  ['null for what has a default and may not be null', 'query ($m: Int = 4) { echo(must: $m) }', { m: null }],
  [
    'null within what may not be null',
    'query ($s: Boolean = true) { needs(value: { strict: $s }) }',
    { s: null },
  ],
  ['a wrong variable', 'query ($f: Filter) { echo(filter: $f) }', { f: { nope: 1 } }],
  [
    'a variable called __proto__ within',
    'query ($f: Anything) { echo(any: $f) }',
    JSON.parse('{"f":{"constructor":1}}'),
  ],
  ['skip', '{ cat { name @skip(if: true) lives } }'],
  ['skip everything', '{ cat @skip(if: true) { name } }'],
  ['skip all below', '{ cat { name @skip(if: true) } }'],
  [
    'skip by a variable',
    'query ($s: Boolean!) { cat { name @skip(if: $s) lives @include(if: $s) } }',
    { s: true },
  ],
  [
    'the same otherwise',
    'query ($s: Boolean!) { cat { name @skip(if: $s) lives @include(if: $s) } }',
    { s: false },
  ],
  [
    'a fragment spread with and without',
    'query ($s: Boolean!) { a: cat { ...F @skip(if: $s) } b: cat { ...F } } fragment F on Cat { name lives }',
    { s: true },
  ],
  [
    'merged selections, one skipped',
    'query ($s: Boolean!) { cat @skip(if: $s) { name } cat { lives } }',
    { s: true },
  ],
  ['null for skip', 'query ($s: Boolean = true) { cat { name @skip(if: $s) } }', { s: null }],
  [
    'nested fragments',
    '{ cat { ...A ...B } } fragment A on Cat { name ...B } fragment B on Cat { lives friends { ...C } } fragment C on Pet { ... on Dog { name owner { id } } }',
  ],
  [
    'names that run into each other',
    '{ a: cat { b_friends: friends { __typename } } friends_a: cat { b: friends { ... on Dog { name } } } }',
  ],
  ['names that the compiler uses', '{ idx0: cat { __context: name } }'],
  ['an alias like an index', '{ cat { idx1: friends { ... on Dog { barks } } } }'],
  ['mutations in order', 'mutation { a: count b: countNow c: count d: failing e: count }'],
  [
    'a mutation with a selection',
    'mutation ($f: Filter) { cat(filter: $f) { name friends { ... on Dog { barks } } kittens { lives } } count }',
    { f: {} },
  ],
  ['an operation by its name', 'query constructor { cat { name } }'],
  ['introspection', '{ __schema { queryType { name } } __type(name: "Cat") { kind } }'],
  ['only a type name', '{ __typename }'],
  ['a field that is not there', '{ nope }'],
  ['no syntax', '{ cat { '],
  ['a subscription', 'subscription { x }'],
]

describe('one answer', () => {
  test.each(documents.map((row) => [row[0], row] as const))('%s', async (_name, [, query, variables]) => {
    const [first, second, third] = await both(query, variables)
    expect(second).toEqual(first)
    expect(third).toEqual(first)
  })
})

/** For a night, `CMS_TEST_DOCUMENTS` and `CMS_TEST_SEED` say how many, and which. */
const DOCUMENTS = Number(process.env['CMS_TEST_DOCUMENTS'] ?? 600)
const FIRST_SEED = Number(process.env['CMS_TEST_SEED'] ?? 1)

test('one answer to documents at random, and none of them is code', async () => {
  const schema = zooSchema()
  let ran = 0
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DOCUMENTS; seed++) {
    const { query, variables } = randomDocument(schema, seed)
    const [first, second] = await both(query, variables)
    expect({ seed, query, variables, answer: second }).toEqual({ seed, query, variables, answer: first })
    if ((first as { kind: string }).kind === 'executed') ran += 1
  }
  expect(globalThis).not.toHaveProperty('pwned')
  expect(ran).toBeGreaterThan(DOCUMENTS / 2)
})

test('most of them were compiled', () => {
  const { compiled: count } = compiled.counts()
  expect(count).toBeGreaterThan((documents.length + DOCUMENTS) * 0.3)
})

test('a fault is reported and not told', async () => {
  faults.length = 0
  const answer = await compiled.run({ query: '{ throws }' }, {}, { readOnly: false })
  expect(JSON.parse(answer.body)).toEqual({
    errors: [{ message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    data: { throws: null },
  })
  expect(String(faults)).toContain('secret of the server')
})

test('answers at once where resolvers do', () => {
  for (const operations of [plain, compiled]) {
    const answer = operations.run({ query: '{ cat { name } echo(any: 1) }' }, {}, { readOnly: false })
    expect(answer).not.toBeInstanceOf(Promise)
  }
})

test('a fault is told with its stack to those who develop', async () => {
  const answer = await operationsWith('never', true).run({ query: '{ throws }' }, {}, { readOnly: false })
  const { errors } = JSON.parse(answer.body) as { errors: Record<string, unknown>[] }
  expect(errors[0]).toMatchObject({
    message: 'secret of the server',
    path: ['throws'],
    extensions: { code: 'INTERNAL_SERVER_ERROR', exception: { stacktrace: expect.any(Array) } },
  })
})

function createRepeating(): Operations {
  return createOperations({
    inTransaction: (task) => task(),
    schema: zooSchema(),
    introspection: true,
    suggestions: true,
    exposesFaults: false,
    explains: false,
    onFault: (fault) => faults.push(fault),
  })
}

test('documents made to differ are forgotten, and none of them is compiled', async () => {
  const operations = createRepeating()
  for (let count = 0; count < 5000; count++) {
    await operations.run({ query: `{ u${count}: cat { name } }` }, {}, { readOnly: false })
  }
  expect(operations.counts()).toEqual({ documents: 0, compiled: 0 })
  // Each of them twice in a row.
  for (let count = 0; count < 2 * 4000; count++) {
    const query = `{ v${count >> 1}: cat { name } } # ${'x'.repeat(100)}`
    await operations.run({ query }, {}, { readOnly: false })
  }
  const { documents } = operations.counts()
  expect(documents).toBeGreaterThan(100)
  expect(documents).toBeLessThan(4000)
  const long = `{ cat { name } } # ${'x'.repeat(60_000)}`
  for (let count = 0; count < 40; count++) {
    await operations.run({ query: long + (count >> 1) }, {}, { readOnly: false })
  }
  expect(operations.counts().documents).toBe(documents)
})

test('a document is compiled when it comes again, unless it is very large', async () => {
  const operations = createRepeating()
  const run = (query: string) => operations.run({ query }, {}, { readOnly: false })
  await run('{ cat { name } }')
  expect(operations.counts().compiled).toBe(0)
  // The compiler is loaded by the first that would need it.
  await run('{ cat { name } }')
  await loadCompiler()
  await new Promise((resolve) => setImmediate(resolve))
  await run('{ cat { name } }')
  expect(operations.counts().compiled).toBe(1)
  await run('{ cat { name } }')
  expect(operations.counts().compiled).toBe(1)
  const large = `{ cat { ${'name '.repeat(1000)} } }`
  for (let count = 0; count < 5; count++) await run(large)
  expect(operations.counts().compiled).toBe(1)
})

test('what may only read does not write', async () => {
  const answer = await compiled.run({ query: 'mutation { count }' }, {}, { readOnly: true })
  expect(answer.kind).toBe('writes')
})

test('one login in a request', async () => {
  const answer = await compiled.run({ query: 'mutation { a: login b: login }' }, {}, { readOnly: false })
  expect(answer.kind).toBe('refused')
  expect(answer.body).toContain('change or confirm an account once; this one does it 2 times')
})

test('compiled documents make room for each other, and come back', async () => {
  const operations = createRepeating()
  const run = async (count: number): Promise<void> => {
    const query = `{ u${count}: cat { ${'name '.repeat(299)} } }`
    const { body } = await operations.run({ query }, {}, { readOnly: false })
    expect(JSON.parse(body)).toEqual({ data: { [`u${count}`]: { name: 'Tom' } } })
  }
  await run(0)
  await run(0)
  await loadCompiler()
  await new Promise((resolve) => setImmediate(resolve))
  for (let times = 0; times < 3; times++) for (let count = 0; count < 15; count++) await run(count)
  // The first ones had to go.
  const { compiled: first } = operations.counts()
  expect(first).toBeGreaterThan(15)
})
