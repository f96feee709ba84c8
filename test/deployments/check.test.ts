// `cms-run check --against`: a deployment of the file has no drift; each thing that differs is told. And requests at random,
// made from the document of a file, are answered as it says, never by a 5xx.

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import { findFaults, type JsonSchema } from '../../src/testing/contract/find-faults.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const relation = { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }
const config = (dialect = 'strapi-4') => ({
  dialect,
  contentTypes: {
    article: {
      attributes: {
        title: { type: 'string', required: true },
        stars: 'integer',
        kind: { type: 'enumeration', enum: ['a', 'b'] },
        on: 'date',
        author: relation,
        seo: { type: 'component', component: 'shared.seo' },
      },
    },
    author: { attributes: { name: 'string' } },
    note: { attributes: { text: 'string' } },
    homepage: { kind: 'singleType', attributes: { headline: 'string' } },
  },
  components: { 'shared.seo': { attributes: { metaTitle: 'string' } } },
  auth: { roles: { public: { permissions: ['article.*', 'author.*', 'homepage.*'] } } },
  data: {
    author: [{ name: 'Ann' }],
    article: [
      { title: 'One', stars: 1, kind: 'a', on: '2024-02-29', author: 1, seo: { metaTitle: 'm' } },
      { title: 'Two' },
    ],
  },
})

/** The file of the deployment may be another than the one that is compared. */
async function outcomeOf(
  file: unknown,
  deployed: Readonly<Record<string, unknown>>,
  change: (text: string) => string = (text) => text,
): Promise<{ readonly code: number; readonly out: string }> {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'cms.yaml'), JSON.stringify(file))
  await using cms = await createCms(deployed, { env: {} })
  const server: Server = createServer((request, response) => {
    void cms.fetch(request.url ?? '').then(async (answer) => {
      response.writeHead(answer.status).end(change(await answer.text()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { code, out, err } = await runCommand(
    ['check', join(cwd, 'cms.yaml'), '--against', `http://127.0.0.1:${port}`],
    { cwd },
  )
  server.closeAllConnections()
  server.close()
  expect(err).toBe('')
  return { code, out }
}

const without = (attribute: string): ReturnType<typeof config> => {
  const { contentTypes, data, ...rest } = structuredClone(config())
  const attributes: Record<string, unknown> = contentTypes.article.attributes
  delete attributes[attribute]
  for (const article of data.article) delete (article as Record<string, unknown>)[attribute]
  return { contentTypes, data, ...rest }
}

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  test('its own deployment has no drift', async () => {
    const { code, out } = await outcomeOf(config(dialect), config(dialect))
    expect(out).toMatch(/\d+ requests are answered as .*cms.yaml says\n$/)
    expect(out).toContain('note  GET /api/notes: is answered with 403\n')
    expect(code).toBe(0)
  })
})

test.each(['blog', 'calendar', 'shop', 'site'])(
  'a deployment of the template %s has no drift',
  async (name) => {
    const file = parse(
      readFileSync(join(import.meta.dirname, `../../examples/templates/${name}.yaml`), 'utf8'),
    )
    const { code, out } = await outcomeOf(file, file)
    expect(out).not.toContain('drift')
    expect(code).toBe(0)
  },
)

describe('a caller who may do everything finds no drift', () => {
  const token = 'a token that may do everything, and is long enough'
  const everything = {
    events: true,
    auth: { apiTokens: [{ name: 'all', token, type: 'full-access' }] },
  }
  const files = [
    ...['blog', 'calendar', 'shop', 'site'].map((name) => `examples/templates/${name}.yaml`),
    'cms.yaml',
  ]

  test.each(files.flatMap((file) => [[file, 'strapi-4'] as const, [file, 'strapi-5'] as const]))(
    '%s, %s',
    async (name, dialect) => {
      const cwd = newFolder()
      const text = readFileSync(join(import.meta.dirname, '../..', name), 'utf8')
      const { auth, plugins = {}, graphql = true, ...own } = parse(text)
      const file = join(cwd, 'cms.yaml')
      const config = {
        ...{ ...own, ...everything, dialect },
        plugins: { graphql, ...plugins },
        auth: { ...auth, ...everything.auth },
      }
      writeFileSync(file, JSON.stringify(config))
      await using cms = await createCms(file, { env: {} })
      const { url } = await cms.listen(0, '127.0.0.1')
      const { code, out } = await runCommand(['check', file, '--against', url, '--token', token], { cwd })
      expect(out).not.toContain('drift')
      expect(out).toContain('note  GET /api/_events: is a stream: it is not asked for\n')
      expect(code).toBe(0)
    },
  )
})

test('GraphQL is asked for', async () => {
  const withGraphql = { ...config(), plugins: { graphql: { enabled: true } } }
  expect((await outcomeOf(withGraphql, withGraphql)).code).toBe(0)
  const { out } = await outcomeOf(withGraphql, config())
  expect(out).toMatch(/^drift GET \/graphql\?query=\S+: is not served: 404\n/m)
})

describe('what differs is told', () => {
  test.each([
    [
      'an attribute that is gone',
      config(),
      without('stars'),
      'GET /api/articles: data[0].attributes.stars is missing',
    ],
    [
      'a relation that is gone',
      config(),
      without('author'),
      'GET /api/articles?populate=*: data[0].attributes.author is missing',
    ],
    [
      'a component that is gone',
      config(),
      without('seo'),
      'GET /api/articles?populate=*: data[0].attributes.seo is missing',
    ],
    [
      'an attribute more',
      without('stars'),
      config(),
      'GET /api/articles: data[0].attributes.stars is not in the document',
    ],
  ])('%s', async (_name, file, deployed, message) => {
    const { code, out } = await outcomeOf(file, deployed)
    expect(out).toContain(`drift ${message}\n`)
    expect(code).toBe(1)
  })

  test('a content-type that is gone', async () => {
    const { contentTypes, data, auth: _, ...rest } = config()
    const { article: __, ...types } = contentTypes
    const { article: ___, ...entries } = data
    const { out } = await outcomeOf(config(), { ...rest, contentTypes: types, data: entries })
    expect(out).toContain('drift GET /api/articles: is not served: 404\n')
  })

  test.each([
    [
      'a type',
      (text: string) => text.replace('"stars":1', '"stars":"1"'),
      'data[0].attributes.stars is "1", not integer or null',
    ],
    [
      'a value',
      (text: string) => text.replace('"kind":"a"', '"kind":"c"'),
      'data[0].attributes.kind is "c", which is none of "a", "b"',
    ],
    [
      'a format',
      (text: string) => text.replace('2024-02-29', '29.2.24'),
      'data[0].attributes.on is "29.2.24", not a date',
    ],
    ['a shape', (text: string) => text.replace('"meta":{"pag', '"mate":{"pag'), 'meta is missing'],
    ['no JSON', (text: string) => text.replace('{', '<'), 'is answered with something that is not JSON'],
  ])('%s', async (_name, change, message) => {
    const { code, out } = await outcomeOf(config(), config(), change)
    expect(out).toContain(`drift GET /api/articles: ${message}\n`)
    expect(code).toBe(1)
  })

  test('nobody there', async () => {
    const cwd = newFolder()
    writeFileSync(join(cwd, 'cms.yaml'), JSON.stringify(config()))
    const { code, err } = await runCommand(
      ['check', join(cwd, 'cms.yaml'), '--against', 'http://127.0.0.1:9'],
      { cwd },
    )
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining('http://127.0.0.1:9 does not answer'),
    })
    expect((await runCommand(['check'], { cwd })).err).toContain('(validate checks the file alone)')
  })
})

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

async function documentOf(file: unknown): Promise<Document> {
  const cwd = newFolder()
  writeFileSync(join(cwd, 'cms.yaml'), JSON.stringify(file))
  return JSON.parse((await runCommand(['openapi', join(cwd, 'cms.yaml')], { cwd })).out) as Document
}

/** Values that a schema describes, and some that it does not. */
function valuesOf(
  schema: JsonSchema,
  schemas: Document['components']['schemas'],
  depth = 0,
): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', -1, 1e308, '\u0000', '%', [], {}, null),
  )
  if (depth > 6) return wrong
  const inner = (one: JsonSchema): fc.Arbitrary<unknown> => valuesOf(one, schemas, depth + 1)
  const { $ref, anyOf, oneOf, allOf, type, properties, items, enum: values, const: constant } = schema
  const parts = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined
  const right = ((): fc.Arbitrary<unknown> => {
    if (typeof $ref === 'string') return inner(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    if (parts !== undefined) return fc.oneof(...parts.map(inner))
    if (Array.isArray(allOf))
      return fc
        .tuple(...(allOf as JsonSchema[]).map(inner))
        .map((all) => Object.assign({}, ...all.filter((one) => typeof one === 'object')))
    if (constant !== undefined) return fc.constant(constant)
    if (Array.isArray(values)) return fc.constantFrom(...values)
    if (type === 'object')
      return fc.record(
        Object.fromEntries(
          Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([key, one]) => [
            key,
            inner(one),
          ]),
        ),
        { requiredKeys: [] },
      )
    if (type === 'array') return fc.array(inner((items ?? {}) as JsonSchema), { maxLength: 3 })
    if (type === 'integer') return fc.integer({ min: -3, max: 5 })
    if (type === 'number') return fc.double()
    if (type === 'boolean') return fc.boolean()
    if (schema['format'] === 'date') return fc.constant('2024-02-29')
    if (type === 'string') return fc.string({ unit: 'grapheme' })
    return wrong
  })()
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

const queries = fc.dictionary(
  fc.constantFrom(
    'sort',
    'fields',
    'populate',
    '_q',
    'filters[title][$contains]',
    'filters[author][name]',
    'filters[stars][$in]',
    'pagination[page]',
    'pagination[limit]',
    'publicationState',
    'status',
    'locale',
    'populate[author][fields]',
    'filters[$or][0][kind]',
  ),
  fc.oneof(
    fc.constantFrom('title', '*', 'author', 'stars:desc', '1', '-1', 'a', 'preview', 'draft', 'all'),
    fc.string(),
  ),
  { maxKeys: 3 },
)

describe.each(['strapi-4', 'strapi-5'])('requests at random, from the document of %s', (dialect) => {
  test('are answered as it says, and never by a 5xx', async () => {
    const document = await documentOf(config(dialect))
    const { schemas } = document.components
    const ajv = addFormats.default(new Ajv.default({ strict: false }))
    ajv.addSchema({ $id: 'document', components: document.components })
    const operations = Object.entries(document.paths)
      .filter(([path]) => /^\/api\/(articles|authors|homepage)/.test(path))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
      )
      .filter(({ operation }) => operation.operationId !== undefined)
    const requests = fc.constantFrom(...operations).chain(({ path, method, operation }) => {
      const body = operation.requestBody?.content['application/json']?.schema
      return fc.record({
        path: fc
          .oneof(fc.integer({ min: 1, max: 4 }).map(String), fc.string({ minLength: 1 }))
          // A URL resolves these to the path above.
          .filter((id) => id !== '.' && id !== '..')
          .map((id) => path.replace(/\{\w+\}/, encodeURIComponent(id))),
        method: fc.constant(method.toUpperCase()),
        operation: fc.constant(operation),
        query: queries,
        body: body === undefined ? fc.constant(undefined) : valuesOf(body, schemas),
      })
    })
    await using cms = await createCms(config(dialect), { env: {} })
    const statuses = new Map<number, number>()
    let disagreements = 0
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, method, operation, query, body }) => {
        const answer = await cms.fetch(`${path}?${new URLSearchParams(query)}`, {
          method,
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
        const text = await answer.text()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        expect(answer.status, text).toBeLessThan(500)
        if (text === '') return
        const { responses } = operation
        const response = responses[String(answer.status)] ?? responses[`${Math.floor(answer.status / 100)}XX`]
        const schema = response?.content?.['application/json']?.schema
        expect(schema, `${method} ${path}: ${answer.status}`).toBeDefined()
        const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
        const value: unknown = JSON.parse(text)
        const validates = ajv.validate(resolved, value)
        expect(validates, `${text}\n${ajv.errorsText()}`).toBe(true)
        const own = findFaults(schema as JsonSchema, value, { schemas, populated: false })
        // Beyond what the schema forbids: keys that are missing from an answer with `fields`, or are more in it.
        if (own.some(({ message }) => !/^is (missing|not in the document)$/.test(message))) disagreements += 1
      }),
      { numRuns: 400 },
    )
    expect(disagreements).toBe(0)
    expect(statuses.get(200) ?? 0).toBeGreaterThan(5)
    expect((statuses.get(400) ?? 0) + (statuses.get(404) ?? 0)).toBeGreaterThan(5)
  })

  test('what a schema forbids is found, as by another validator', async () => {
    const { components } = await documentOf(config(dialect))
    const ajv = addFormats.default(new Ajv.default({ strict: false }))
    ajv.addSchema({ $id: 'document', components })
    const validate = ajv.compile({ $ref: 'document#/components/schemas/ArticleListResponse' })
    const schema: JsonSchema = { $ref: '#/components/schemas/ArticleListResponse' }
    const values = valuesOf(schema, components.schemas)
    const counts = { right: 0, wrong: 0 }
    fc.assert(
      fc.property(values, (made) => {
        const value: unknown = JSON.parse(JSON.stringify(made ?? null))
        const faults = findFaults(schema, value, { schemas: components.schemas, populated: false })
        const found = faults.some(({ message }) => message !== 'is not in the document')
        const right = validate(value)
        counts[right ? 'right' : 'wrong'] += 1
        // What is forbidden is found; what is allowed has at most attributes that an entry lacks, and limits are of what is sent.
        if (
          !right &&
          !/must be [<>]=|minLength|maxLength|pattern|shorter|longer|fewer/.test(
            ajv.errorsText(validate.errors),
          )
        )
          expect(found, ajv.errorsText(validate.errors)).toBe(true)
        if (right)
          expect(faults.filter(({ message }) => !/^is (missing|not in the document)$/.test(message))).toEqual(
            [],
          )
      }),
      { numRuns: 500 },
    )
    expect(counts.wrong).toBeGreaterThan(20)
  })
})
