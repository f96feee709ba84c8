// Compiled operations of generated fields, whose values nothing serializes, answer what resolvers and serializers do: every
// recorded query and documents at random, each asked again and again, and once with a field beside it that is not generated.

import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLObjectType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  visit,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkConfig, isValid } from '../../src/app/check-config.ts'
import { readSchemaDefinition } from '../../src/app/try-in-memory.ts'
import { createCms } from '../../src/index.ts'
import { authorizationOf } from '../conformance/credentials.ts'
import { type RecordedCase, readGroups, recorded } from '../conformance/recorded-case.ts'
import { openRecordedCms, type RecordedCms } from '../conformance/recorded-cms.ts'
import { randomDocument } from './execution/random-document.ts'

const KEY = 'notGenerated'
const AREAS = [
  ...['graphql-query', 'graphql-pagination', 'graphql-filters', 'graphql-sort', 'graphql-i18n-dp'],
  ...['graphql-nested', 'graphql-protocol'],
]

let recordedCms: RecordedCms
beforeAll(async () => {
  recordedCms = await openRecordedCms(undefined)
})
afterAll(() => recordedCms.close())

test.each(['strapi-4', 'strapi-5'] as const)(
  'attributes may have the names that envelopes and entries have: %s',
  async (dialect) => {
    const names = ['attributes', 'data', 'nodes', 'value', 'meta', 'info', 'page', 'total', 'readAhead']
    const strings = Object.fromEntries(names.map((name) => [name, 'string']))
    const entry = Object.fromEntries(names.map((name) => [name, `the ${name}`]))
    const cms = await createCms(
      {
        dialect,
        plugins: { graphql: true },
        contentTypes: { thing: { ...strings, box: { type: 'component', component: 'ui.box' } } },
        components: { 'ui.box': strings },
        auth: { roles: { public: ['thing.find'] } },
        data: { thing: [{ ...entry, box: entry }] },
      },
      { env: {} },
    )
    const shown = `${names.join(' ')} box { ${names.join(' ')} }`
    const isFlat = dialect === 'strapi-5'
    const query = isFlat ? `{ things { ${shown} } }` : `{ things { data { attributes { ${shown} } } } }`
    const things = { ...entry, box: entry }
    const expected = { data: { things: isFlat ? [things] : { data: [{ attributes: things }] } } }
    // At first graphql-js answers, then the compiled operation.
    for (let time = 0; time < 4; time++) {
      const response = await cms.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      expect(await response.json()).toEqual(expected)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await cms.close()
  },
)

test('a value that its type has no place for is said, not written', async () => {
  const cms = await createCms(
    {
      server: { environment: 'staging' },
      contentTypes: {
        note: {
          options: { draftAndPublish: true },
          attributes: { title: { type: 'string', required: true }, text: 'string' },
        },
      },
      plugins: { graphql: true },
      auth: { roles: { public: { permissions: ['note.*'] } } },
      data: {
        note: [
          { id: 1, title: 'whole', text: 'a', publishedAt: '2024-01-01T00:00:00.000Z' },
          { id: 2, text: 'b', publishedAt: null },
        ],
      },
    },
    { env: {} },
  )
  const answers: unknown[] = []
  for (const more of ['', '__schema { queryType { name } }']) {
    const query = `{ notes(publicationState: PREVIEW) { data { id attributes { title text } } } ${more} }`
    const post = () =>
      cms.fetch('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
    for (let time = 1; time < 4; time++) await (await post()).text()
    const { data, errors } = (await (await post()).json()) as Body
    answers.push({ notes: data?.['notes'], errors })
  }
  await cms.close()
  expect(answers[0]).toMatchObject({
    notes: {
      data: [
        { id: '1', attributes: { title: 'whole' } },
        { id: '2', attributes: null },
      ],
    },
    errors: [{ message: 'Cannot return null for non-nullable field Note.title.' }],
  })
  expect(answers[0]).toEqual(answers[1])
})

interface RequestCase {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: unknown
}

interface Body {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly unknown[]
}

async function ask(asked: RequestCase, authorization: string | undefined): Promise<Body> {
  const { cms, secrets } = recordedCms
  const response = await cms.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined
          ? {}
          : { authorization: await authorizationOf(authorization, secrets) }),
      },
      body: JSON.stringify(asked),
    }),
  )
  return JSON.parse(await response.text(), (key, value: unknown) =>
    key === 'exception' || key === 'locations' ? undefined : value,
  ) as Body
}

/** The same document with a field that is not generated; undefined where it is none. */
function withForeignField(query: string): string | undefined {
  const field = parse(`{ ${KEY}: __type(name: "Query") { name } }`).definitions[0] as OperationDefinitionNode
  try {
    return print(
      visit(parse(query), {
        OperationDefinition: (node) => {
          if (node.operation !== 'query') return undefined
          const selections: SelectionNode[] = [
            ...node.selectionSet.selections,
            ...field.selectionSet.selections,
          ]
          return { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } }
        },
      }),
    )
  } catch {
    return undefined
  }
}

/** Answers whether there was data to compare. */
async function compare(asked: RequestCase, authorization?: string): Promise<boolean> {
  const query = withForeignField(asked.query)
  if (query === undefined) return false
  // The first is run by graphql-js.
  for (let time = 1; time < 3; time++) await ask(asked, authorization)
  const compiled = await ask(asked, authorization)
  const { data, errors } = await ask({ ...asked, query }, authorization)
  if (data === undefined || data === null) return false
  const { [KEY]: foreign, ...own } = data
  expect({ asked, authorization, ...sorted(compiled) }).toEqual({
    asked,
    authorization,
    ...sorted({ data: own, ...(errors && { errors }) }),
  })
  return foreign !== undefined
}

/** Errors have no order. */
function sorted({ data, errors }: Body): Readonly<Record<string, unknown>> {
  return { data, errors: errors?.map((error) => JSON.stringify(error)).sort() }
}

describe('recorded queries', () => {
  test.each(AREAS)('%s', async (area) => {
    const cases = [...readGroups(area).values()].flat().filter(isQuery)
    let compared = 0
    for (const { request } of cases) {
      if (await compare(request.body as RequestCase, request.headers['authorization'])) compared += 1
    }
    expect(compared).toBeGreaterThan(4)
  })
})

function isQuery({ request }: RecordedCase): boolean {
  const { query } = (request.body ?? {}) as { readonly query?: unknown }
  return (
    request.method === 'POST' && typeof query === 'string' && !/^\s*(?:mutation|subscription)/.test(query)
  )
}

/** For a night, `CMS_TEST_DOCUMENTS` and `CMS_TEST_SEED` say how many, and which. */
const DOCUMENTS = Number(process.env['CMS_TEST_DOCUMENTS'] ?? 800)
const FIRST_SEED = Number(process.env['CMS_TEST_SEED'] ?? 1)

test('documents at random', async () => {
  const schema = await generatedPart()
  let compared = 0
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DOCUMENTS; seed++) {
    const { query, variables } = randomDocument(schema, seed)
    if (query.startsWith('mutation')) continue
    const asked = {
      query: query.replace(/\bid: "(?:[^"\\]|\\.)*"/g, `id: ${(seed % 40) + 1}`),
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, typeof value === 'string' ? '2' : value]),
      ),
    }
    if (await compare(asked, [undefined, '@apitoken-full', '@apitoken-readonly'][seed % 3])) compared += 1
  }
  expect(compared).toBeGreaterThan(DOCUMENTS * 0.6)
})

/** Reads of content-types, with the arguments whose values need no luck. */
async function generatedPart(): Promise<GraphQLSchema> {
  const checked = await checkConfig({ file: join(recorded, 'cms.yaml') }, { env: {} })
  if (!isValid(checked)) throw new Error('the recorded configuration is not right')
  const made = await readSchemaDefinition(checked)
  if ('diagnostics' in made || made.definition === undefined) throw new Error('no schema')
  const schema = buildSchema(made.definition)
  for (const type of Object.values(schema.getTypeMap())) {
    if (!('getFields' in type)) continue
    for (const field of Object.values((type as GraphQLObjectType).getFields())) {
      if (field.args === undefined) continue
      const args = field.args.filter(({ name }) => /^(?:id|pagination|publicationState)$/.test(name))
      ;(field as { args: readonly GraphQLArgument[] }).args = args
    }
  }
  const query = schema.getQueryType()
  const fields = query?.getFields() ?? {}
  for (const [name, { type }] of Object.entries(fields)) {
    if (!/Entity(?:Response|ResponseCollection)$/.test(String(type))) delete fields[name]
  }
  return new GraphQLSchema({ query })
}
