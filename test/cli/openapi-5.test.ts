// `cms-run openapi` with `dialect: strapi-5`: it has the addresses that are served, and real answers are as it says.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { everything } from '../archive/content-of-everything.ts'
import { runCommand } from '../support/run-command.ts'
import { PNG } from '../upload/open-library.ts'

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

const folder = mkdtempSync(join(tmpdir(), 'cms-run-openapi-5-'))
let document: Document
let cms: Cms
beforeAll(async () => {
  const file = join(folder, 'cms.yaml')
  const roles =
    "auth:\n  roles: { public: { permissions: ['api::*', article.publish, article.unpublish, article.discardDraft, 'plugin::upload.content-api.*', 'plugin::users-permissions.user.*'] } }\n"
  const home =
    '  home: { kind: singleType, options: { draftAndPublish: true }, attributes: { title: string } }\n'
  const text = everything.replace('auth:\n', roles).replace('contentTypes:\n', `contentTypes:\n${home}`)
  writeFileSync(file, `dialect: strapi-5\n${text}`)
  const { code, out } = await runCommand(['openapi', file], { cwd: folder })
  expect(code).toBe(0)
  document = JSON.parse(out)
  cms = await createCms(file, { env: {} })
})
afterAll(async () => {
  await cms?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('it has the addresses that are served, and documents are named by texts', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const refused = await cms.fetch(path.replaceAll(/\{\w+\}/g, '1'), { method: 'PATCH' })
    const allowed = (refused.headers.get('allow') ?? '').split(', ')
    const served = allowed.filter((one) => !['HEAD', 'OPTIONS'].includes(one))
    expect({
      path,
      methods: Object.keys(methods)
        .map((one) => one.toUpperCase())
        .sort(),
    }).toEqual({
      path,
      methods: served.sort(),
    })
  }
  const actions = Object.keys(document.paths).filter((path) => path.includes('/actions/'))
  const many = ['create-many', 'update-many', 'delete-many', 'upsert', 'upsert-many']
  const versions = ['publish', 'unpublish', 'discard']
  const expected = [
    ...['/api/home', '/api/articles/{id}'].flatMap((path) => versions.map((action) => [path, action])),
    ...['/api/tags', '/api/articles', '/api/comments'].flatMap((path) =>
      many.map((action) => [path, action]),
    ),
  ]
  expect(actions.toSorted()).toEqual(expected.map((parts) => parts.join('/actions/')).toSorted())
  const { parameters = [] } = document.paths['/api/articles/{id}']?.['get'] ?? {}
  expect(parameters.find((one) => one.in === 'path')?.schema).toEqual({ type: 'string' })
  expect(parameters.map(({ name }) => name)).toEqual(['id', 'fields', 'populate', 'locale', 'status'])
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty([name])
  expect(JSON.stringify(document)).not.toMatch(/publicationState|createLocalization/)
})

test('real answers are as the document says', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: document.components })
  const validate = (schema: unknown, answer: unknown) =>
    ajv.validate(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')),
      answer,
    )
  const answered = async (method: string, path: string, template: string, init: RequestInit = {}) => {
    const response = await cms.fetch(path, { method, ...init })
    const text = await response.text()
    const told = document.paths[template]?.[method.toLowerCase()]?.responses[response.status]
    expect({ method, path, told: told !== undefined, text: told ? '' : text }).toEqual({
      method,
      path,
      told: true,
      text: '',
    })
    if (text === '') return undefined
    const answer = JSON.parse(text)
    const valid = validate(told?.content?.['application/json']?.schema, answer)
    expect({ path, valid, errors: ajv.errors }).toEqual({ path, valid: true, errors: null })
    return answer
  }
  const data = (value: object) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: value }),
  })
  const list = await answered('GET', '/api/articles?populate=*&status=draft&locale=*', '/api/articles')
  expect(list.data.length).toBe(3)
  const one = `/api/articles/${list.data[0].documentId}`
  const deep =
    'populate[seo][populate]=*&populate[quotes][populate]=*&populate[zone][on][page.quote][populate]=*&populate[localizations]=true&populate[cover]=true&populate[tags][populate]=articles'
  await answered('GET', `${one}?${deep}`, '/api/articles/{id}')
  const made = await answered(
    'POST',
    '/api/articles?populate=tags',
    '/api/articles',
    data({ title: 'x', price: 1.5 }),
  )
  const path = `/api/articles/${made.data.documentId}`
  await answered('PUT', `${path}?status=draft`, '/api/articles/{id}', data({ title: 'y' }))
  for (const action of ['publish', 'discard', 'unpublish'])
    await answered('POST', `${path}/actions/${action}`, `/api/articles/{id}/actions/${action}`)
  await answered('DELETE', path, '/api/articles/{id}')
  await answered('GET', '/api/comments?populate=*', '/api/comments')
  await answered('PUT', '/api/home', '/api/home', data({ title: 'x' }))
  await answered('GET', '/api/home?status=draft', '/api/home')
  await answered('GET', '/api/users', '/api/users')
  const form = new FormData()
  form.append('files', new File([new Uint8Array(PNG)], 'a.png', { type: 'image/png' }))
  await answered('POST', '/api/upload', '/api/upload', { body: form })
  await answered('GET', '/api/upload/files', '/api/upload/files')
  // And it is no document that takes everything.
  const schema =
    document.paths['/api/articles/{id}']?.['get']?.responses['200']?.content?.['application/json']?.schema
  expect(validate(schema, { data: { id: 1, documentId: 'a', title: 'a' }, meta: {} })).toBe(true)
  expect(validate(schema, { data: { id: 1, title: 'a' }, meta: {} })).toBe(false)
  expect(validate(schema, { data: { id: 1, documentId: 'a', title: 7 }, meta: {} })).toBe(false)
})
