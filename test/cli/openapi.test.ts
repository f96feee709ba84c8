// `cms-run openapi`: every route is in it, every reference leads somewhere, and real answers are as it says.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { everything } from '../archive/content-of-everything.ts'
import { runCommand } from '../support/run-command.ts'

const config = everything.replace(
  'auth:\n',
  "auth:\n  roles: { public: { permissions: ['api::*', 'plugin::upload.content-api.*', 'plugin::users-permissions.auth.*', 'plugin::users-permissions.user.*'] } }\n",
)
const home = '  home: { kind: singleType, attributes: { title: string } }\n'
const text = config.replace('contentTypes:\n', `contentTypes:\n${home}`)

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly security?: readonly object[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

let document: Document
let file: string
beforeAll(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'cms-run-openapi-')), 'cms.yaml')
  writeFileSync(file, text)
  const { code, out, err } = await runCommand(['openapi', file], { cwd: '.' })
  expect({ code, warned: err.includes('PLG001') }).toEqual({ code: 0, warned: true })
  document = JSON.parse(out)
})

function* operations(): Generator<readonly [path: string, method: string, operation: Operation]> {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) yield [path, method, operation]
  }
}

test('every operation has what linters ask for by default: an id of its own, a summary, an error of the client', () => {
  const all = [...operations()]
  expect(all.length).toBeGreaterThan(20)
  const lacking = all.filter(
    ([, , { operationId, summary, responses }]) =>
      !/^[A-Za-z0-9._~-]+$/.test(operationId) ||
      !/^[A-Z]\w*( \w+)*$/.test(summary) ||
      responses['4XX'] === undefined,
  )
  expect(lacking.map(([path, method]) => `${method} ${path}`)).toEqual([])
  expect(new Set(all.map(([, , { operationId }]) => operationId)).size).toBe(all.length)
})

async function opened(): Promise<Cms> {
  const cms = await createCms(file, { env: {} })
  onTestFinished(() => cms.close())
  return cms
}

describe('the document', () => {
  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, name = '']) => name,
    )
    expect(references.length).toBeGreaterThan(50)
    const known = new Set(
      Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
    )
    expect(references.filter((name) => !known.has(name))).toEqual([])
  })

  test('parameters of paths are declared, and ids are unique', () => {
    const ids = new Set<string>()
    for (const [path, , { operationId, parameters }] of operations()) {
      const declared = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(ids).not.toContain(operationId)
      ids.add(operationId)
    }
    expect(ids.size).toBeGreaterThan(40)
  })

  test('every schema is one', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const schema of Object.values(document.components.schemas))
      expect(ajv.validateSchema(schema)).toBe(true)
  })

  test('what the router serves is in it, with the same methods, and nothing else', async () => {
    const cms = await opened()
    const paths = Object.entries(document.paths)
    for (const [path, methods] of paths) {
      const concrete = path.replaceAll(/\{\w+\}/g, '1')
      const refused = await cms.fetch(concrete, { method: 'PATCH' })
      expect({ path, status: refused.status }).toEqual({ path, status: 405 })
      const allowed = (refused.headers.get('allow') ?? '')
        .split(', ')
        .filter((one) => !['HEAD', 'OPTIONS'].includes(one))
      expect({
        path,
        methods: Object.keys(methods)
          .map((one) => one.toUpperCase())
          .sort(),
      }).toEqual({
        path,
        methods: allowed.sort(),
      })
    }
    const served = [
      'articles',
      'articles/{id}',
      'articles/{id}/localizations',
      'home',
      'tags',
      'comments/{id}',
      'users/me',
      'upload',
    ]
    expect(paths.map(([path]) => path)).toEqual(expect.arrayContaining(served.map((path) => `/api/${path}`)))
  })

  test('what the public may do needs no token', () => {
    expect(document.paths['/api/articles']?.['get']?.security).toEqual([{}, { token: [] }])
    expect(document.paths['/api/users-permissions/roles']?.['get']?.security).toBeUndefined()
  })
})

test('real answers are as the document says', async () => {
  const cms = await opened()
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const json = { 'content-type': 'application/json' }
  const write = (data: object) => ({ headers: json, body: JSON.stringify({ data }) })
  const requests: readonly [
    method: string,
    path: string,
    template: string,
    status: number,
    init?: RequestInit,
  ][] = [
    ['GET', '/api/articles?populate=*&publicationState=preview&locale=all', '/api/articles', 200],
    [
      'GET',
      '/api/articles/11?populate[seo][populate]=*&populate[quotes][populate]=*&populate[zone][populate]=*&populate[localizations]=*&populate[cover]=*',
      '/api/articles/{id}',
      200,
    ],
    ['POST', '/api/articles', '/api/articles', 200, write({ title: 'x', price: 1.5, tags: [9] })],
    ['PUT', '/api/articles/11', '/api/articles/{id}', 200, write({ title: 'y' })],
    ['DELETE', '/api/tags/2', '/api/tags/{id}', 200],
    ['GET', '/api/tags?populate=*', '/api/tags', 200],
    ['GET', '/api/comments?populate=*', '/api/comments', 200],
    ['PUT', '/api/home', '/api/home', 200, write({ title: 'x' })],
    ['GET', '/api/home', '/api/home', 200],
    ['GET', '/api/users', '/api/users', 200],
    ['GET', '/api/users/count', '/api/users/count', 200],
    ['GET', '/api/upload/files', '/api/upload/files', 200],
    [
      'POST',
      '/api/auth/local',
      '/api/auth/local',
      200,
      { headers: json, body: JSON.stringify({ identifier: 'ann', password: 'secret-of-ann' }) },
    ],
    ['GET', '/api/articles/999', '/api/articles/{id}', 404],
    ['GET', '/api/articles?filters[nothing]=1', '/api/articles', 400],
    ['GET', '/api/users/me', '/api/users/me', 401],
  ]
  for (const [method, path, template, status, init] of requests) {
    const response = await cms.fetch(path, { method, ...init })
    const answer: unknown = await response.json()
    expect({
      path,
      status: response.status,
      answer: response.status === status ? undefined : answer,
    }).toEqual({ path, status, answer: undefined })
    const answers = document.paths[template]?.[method.toLowerCase()]?.responses
    const schema = answers?.[status === 200 ? '200' : 'default']?.content?.['application/json']?.schema
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
    const valid = ajv.validate(JSON.parse(text), answer)
    expect({ path, valid, errors: ajv.errors }).toEqual({ path, valid: true, errors: null })
  }
  // And it is no document that takes everything.
  const one =
    document.paths['/api/articles/{id}']?.['get']?.responses['200']?.content?.['application/json']?.schema
  const strict = JSON.parse(JSON.stringify(one).replaceAll('"#/components', '"document#/components'))
  expect(ajv.validate(strict, { data: { id: 1, attributes: { title: 7 } }, meta: {} })).toBe(false)
  expect(ajv.validate(strict, { data: { attributes: {} }, meta: {} })).toBe(false)
})
