// Whatever shape a parameter of a query string or a member of a JSON body has, a request is answered or refused, never failed by
// an internal error: every route of OpenAPI's description, and those that it leaves out.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const CONFIG = {
  server: { log: { level: 'error' } },
  console: true,
  events: true,
  contentTypes: {
    article: {
      drafts: true,
      localized: true,
      schedule: true,
      attributes: { title: 'string!', category: 'category', cover: 'image', box: 'ui.box' },
    },
    category: { attributes: { name: 'string' } },
    home: { kind: 'singleType', attributes: { title: 'string' } },
  },
  components: { 'ui.box': { attributes: { text: 'string' } } },
  plugins: {
    i18n: { config: { locales: ['en', 'de'], defaultLocale: 'en' } },
    graphql: true,
    upload: true,
    email: true,
    'users-permissions': {
      config: { jwtSecret: 'a-secret-of-this-test-alone-0123456789', jwtManagement: 'refresh' },
    },
  },
  auth: {
    roles: { public: { permissions: ['api::*.*.*', 'plugin::*.*.*'] } },
    users: [{ username: 'ann', email: 'ann@example.com', password: 'correct horse', role: 'authenticated' }],
  },
  data: { article: [{ title: 'a', category: { name: 'b' } }], home: { title: 'h' } },
}

/** Parameters that some route reads; each route is asked with each. */
const PARAMETERS: readonly string[] = [
  ...['filters', 'sort', 'fields', 'populate', 'pagination', 'publicationState', 'locale', '_q', 'status'],
  ...['start', 'limit', 'hasPublishedVersion', 'types', 'kind', 'confirmation', 'id', 'query', 'variables'],
  ...['operationName', 'extensions', 'after', 'readings', 'requests'],
]
/** What stands behind the name of any parameter. */
const ANY_SHAPES: readonly string[] = ['[toString]=a', '[0][a]=b']
/** What stands behind the name of one that the description has. */
const SHAPES: readonly string[] = [
  ...ANY_SHAPES,
  ...['', '[]=a', '[a]=b', '[$eq]=a', '[a][toString]=c', '[title][$eq][toString]=a', '[title][$in][0][a]=b'],
  ...['[$or]=a', '[$not][0]=a', '[title][toString]=a', '[page][a]=b', '[start][a]=b', '[withCount][a]=b'],
  ...['fields', 'sort', 'filters', 'populate', 'on'].map((name) => `[category][${name}][toString]=a`),
]
const VALUES: readonly unknown[] = [
  ...[null, true, 1.5, '', [], [null], {}, { toString: 1 }, { a: { toString: 1 } }, [{ toString: 1 }]],
  ...[{ set: { toString: 1 } }, { connect: [{ id: { toString: 1 } }] }],
]
/** Routes that the description leaves out, with the members of what they are sent. */
const UNDESCRIBED: readonly Route[] = [
  ...['/api/connect/x', '/api/auth/x/callback', '/graphql', '/openapi.json'].map(get),
  ...['state', 'changes', 'home', 'model', 'access', 'file', 'schema', 'login', 'account'].map((name) =>
    get(`/_console/${name}`),
  ),
  post('/graphql', ['query', 'variables', 'operationName', 'extensions']),
  post('/_console/login', ['identifier', 'password']),
  post('/_console/rights', ['type', 'ids']),
  post('/_console/explain', ['who', 'action']),
  post('/_console/token', ['as']),
  post('/_console/ask', ['as', 'method', 'path', 'body']),
  post('/_console/private', ['type', 'id']),
  post('/_console/data', ['type', 'entries']),
  post('/_console/plan', ['text']),
]

interface Route {
  readonly method: string
  readonly path: string
  readonly parameters: readonly string[]
  /** Undefined for one that takes no JSON. */
  readonly members: readonly string[] | undefined
}

function get(path: string): Route {
  return { method: 'GET', path, parameters: [], members: undefined }
}

function post(path: string, members: readonly string[]): Route {
  return { method: 'POST', path, parameters: [], members }
}

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [key: string]: unknown
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

function describedRoutes({ paths, components }: Description): readonly Route[] {
  const membersOf = ({ $ref = '', properties = {} }: Schema): readonly string[] => {
    const named = components.schemas[$ref.replace('#/components/schemas/', '')]
    if (named !== undefined) return membersOf(named)
    const { data, ...others } = properties
    return [...Object.keys(others), ...(data === undefined ? [] : membersOf(data))]
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    ['get', 'post', 'put', 'patch'].flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const { parameters = [], requestBody } = operation
      const named = parameters.filter((one) => one.in === 'query').map(({ name }) => name.split('[')[0] ?? '')
      const body = requestBody?.content['application/json']?.schema
      const members = body === undefined ? undefined : membersOf(body)
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{[^}]+\}/g, '1'),
        parameters: named,
        members,
      }
    }),
  )
}

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  let cms: Cms
  let log = ''
  let consoleKey = ''
  let routes: readonly Route[] = []

  beforeAll(async () => {
    const collect = (line: string): void => {
      log += line
    }
    cms = await createCms({ ...CONFIG, dialect }, { env: {}, testing: true, log: collect })
    const { consoleUrl } = await cms.listen(0, '127.0.0.1')
    consoleKey = /#key=(.+)$/.exec(consoleUrl ?? '')?.[1] ?? ''
    const description = (await (await ask('GET', '/openapi.json')).json()) as Description
    routes = [...describedRoutes(description), ...UNDESCRIBED]
    expect(routes.map(({ path }) => path)).toContain('/api/_events')
  })
  afterAll(() => cms.close())

  function ask(method: string, path: string, body?: unknown): Promise<Response> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { host: 'localhost:1337', 'x-console-key': consoleKey, ...type }
    return cms.fetch(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  }

  /** The request, if it failed by an internal error. */
  async function failure(method: string, path: string, body?: unknown): Promise<readonly string[]> {
    log = ''
    const response = await ask(method, path, body)
    await response.body?.cancel()
    if (response.status < 500 && log === '') return []
    return [`${method} ${path} ${JSON.stringify(body) ?? ''}: ${response.status} ${log.slice(0, 300)}`]
  }

  test('any parameter', async () => {
    const failures: string[] = []
    for (const { method, path, parameters } of routes)
      for (const name of new Set([...parameters, ...(method === 'GET' ? PARAMETERS : [])]))
        for (const shape of method === 'GET' && parameters.includes(name) ? SHAPES : ANY_SHAPES)
          failures.push(
            ...(await failure(method, `${path}?${name}${shape}`, method === 'GET' ? undefined : {})),
          )
    expect(failures).toEqual([])
  })

  test.each([
    ['/api/_events?types[$eq]=a', 'types'],
    ['/api/_events?types[]=article&types[][a]=b', 'types'],
    ['/api/content-type-builder/content-types?kind[$eq]=singleType', 'kind'],
    ['/api/articles?_q[a]=b', '_q'],
    ['/api/articles?fields[a]=b', 'fields'],
  ])('%s is refused, and %s named', async (path, name) => {
    const response = await ask('GET', path)
    const { error } = (await response.json()) as { readonly error: { readonly message: string } }
    expect([response.status, error.message]).toEqual([400, expect.stringContaining(name)])
  })

  test('any member of a body', async () => {
    const failures: string[] = []
    const taking = routes.filter(({ members = [] }) => members.length > 0)
    expect(taking.length).toBeGreaterThan(15)
    for (const { method, path, members = [] } of taking)
      for (const name of members)
        for (const value of VALUES)
          failures.push(...(await failure(method, path, { [name]: value, data: { [name]: value } })))
    expect(failures).toEqual([])
  })
})
