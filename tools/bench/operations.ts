// `npx tsx tools/bench/operations.ts`: what a request costs between its text and its answer, without HTTP and database: ours (gate,
// variables, compiled operation, JSON), graphql-jit alone, and graphql-js with a document that is parsed already.

import { buildSchema, execute, type GraphQLSchema, parse } from 'graphql'
import { compileQuery } from 'graphql-jit'
import { createOperations } from '../../src/plugins/graphql/execution/create-operations.ts'
import { loadCompiler } from '../../src/plugins/graphql/execution/load-compiler.ts'

const items = Array.from({ length: 25 }, (_, index) => ({
  id: String(index),
  title: `The title of entry ${index}`,
  views: index,
  featured: true,
  author: { id: '7', name: 'Ann' },
}))

function schema(): GraphQLSchema {
  const made = buildSchema(`
    type Query { hello(name: String): String many(limit: Int): [Item!]! }
    type Item { id: ID title: String views: Int featured: Boolean author: Author }
    type Author { id: ID name: String }`)
  const fields = made.getQueryType()?.getFields()
  if (fields?.['hello']) fields['hello'].resolve = () => 'world'
  if (fields?.['many']) fields['many'].resolve = () => items
  return made
}

const documents = [
  { name: 'one field', query: '{ hello }', variables: {}, times: 200_000 },
  {
    name: 'one variable',
    query: 'query ($n: String) { hello(name: $n) }',
    variables: { n: 'x' },
    times: 200_000,
  },
  {
    name: 'a list of 25',
    query: '{ many(limit: 25) { id title views featured author { id name } } }',
    variables: {},
    times: 20_000,
  },
]

const operations = createOperations({
  inTransaction: (task) => task(),
  schema: schema(),
  introspection: false,
  suggestions: false,
  exposesFaults: false,
  explains: false,
  kinds: { isPlain: () => true, isProperty: () => false, getCompletion: () => undefined },
  onFault: console.error,
})

function microseconds(times: number, run: () => unknown): string {
  for (let count = 0; count < times / 10; count++) run()
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) run()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) / times).toFixed(2)
}

await loadCompiler()
for (const { name, query, variables, times } of documents) {
  const ours = () => operations.run({ query, variables }, {}, { readOnly: false })
  for (let count = 0; count < 5; count++) await ours()
  const document = parse(query)
  const compiled = compileQuery(schema(), document)
  if (!('query' in compiled)) throw new Error(`graphql-jit refuses ${query}`)
  const plain = schema()
  console.log(
    name.padEnd(14),
    `ours ${microseconds(times, ours)} us`,
    `graphql-jit ${microseconds(times, () => JSON.stringify(compiled.query(undefined, {}, variables)))} us`,
    `graphql-js ${microseconds(times / 4, () => JSON.stringify(execute({ schema: plain, document, variableValues: variables })))} us`,
  )
}
