// The handles of shadow CRUD: what their getters answered in the recorded system, and the file's `graphql.shadowCRUD` as
// the same calls.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createCms } from '../../src/index.ts'
import {
  applyShadowCrud,
  createShadowCrud,
  type FieldHandle,
  type ShadowCrudHandle,
  type ShadowCrudText,
} from '../../src/plugins/shadow-crud-handles.ts'

const variants = join(import.meta.dirname, '../conformance/recorded/variants')
const recorded = JSON.parse(readFileSync(join(variants, 'ext-a-getters.json'), 'utf8')) as readonly {
  readonly expr: string
  readonly value?: unknown
  readonly error?: string
}[]
const { graphql } = parse(readFileSync(join(variants, 'ext-a.yaml'), 'utf8')) as {
  graphql: { shadowCRUD: Record<string, ShadowCrudText> }
}

const CALL = /^shadowCRUD\('([^']+)'\)(?:\.field\('([^']+)'\))?\.(\w+)\((?:'([^']*)')?\)$/

/** `[shadowCRUD('…').field('…').hasInputEnabled(), …]` */
const calls = recorded.flatMap(({ expr, value }) => {
  const [, uid, field, getter, argument] = CALL.exec(expr) ?? []
  return uid === undefined || getter === undefined || value === undefined
    ? []
    : [{ expr, value, uid, field, getter, argument }]
})

test('there are calls of every kind', () => {
  expect(calls.length).toBeGreaterThan(150)
  expect(new Set(calls.map(({ getter }) => getter)).size).toBe(11)
})

test.each(calls)('$expr', ({ uid, field, getter, argument, value }) => {
  const shadow = createShadowCrud()
  applyShadowCrud(shadow, graphql.shadowCRUD)
  const handle: ShadowCrudHandle | FieldHandle =
    field === undefined ? shadow.handle(uid) : shadow.handle(uid).field(field)
  const get = handle[getter as keyof typeof handle] as (argument?: string) => unknown
  expect(get(argument)).toBe(value)
})

test('the getters of the specification that the recorded system lacked', () => {
  const field = createShadowCrud().handle('api::a.a').field('b')
  expect([field.isDisabled(), field.hasFiltersEnabled()]).toEqual([false, true])
  field.disable().disableFilters()
  expect([field.isDisabled(), field.hasFiltersEnabled()]).toEqual([true, false])
})

const NOTE = {
  contentTypes: { note: { attributes: { text: 'string', hint: 'string' } } },
  plugins: { graphql: true },
}
const INTROSPECTION = `{ q: __type(name: "Query") { fields { name } } m: __type(name: "Mutation") { fields { name } }
  n: __type(name: "Note") { fields { name } } i: __type(name: "NoteInput") { inputFields { name } }
  f: __type(name: "NoteFiltersInput") { inputFields { name } } }`

async function schemaOf(...[config, options]: Parameters<typeof createCms>): Promise<unknown> {
  const cms = await createCms(config, { env: {}, ...options })
  const response = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: INTROSPECTION }),
  })
  await cms.close()
  return response.json()
}

test.each<[string, ShadowCrudText, (handle: ShadowCrudHandle) => void]>([
  ['disable', { disable: true }, (note) => note.disable()],
  ['disableQueries', { disableQueries: true }, (note) => note.disableQueries()],
  ['disableMutations', { disableMutations: true }, (note) => note.disableMutations()],
  ['disableAction', { disableActions: ['find'] }, (note) => note.disableAction('find')],
  [
    'disableActions',
    { disableActions: ['create', 'delete'] },
    (note) => note.disableActions(['create', 'delete']),
  ],
  ['field.disable', { fields: { hint: { disable: true } } }, (note) => note.field('hint').disable()],
  [
    'field.disableOutput',
    { fields: { hint: { disableOutput: true } } },
    (note) => note.field('hint').disableOutput(),
  ],
  [
    'field.disableInput',
    { fields: { hint: { disableInput: true } } },
    (note) => note.field('hint').disableInput(),
  ],
  [
    'field.disableFilters',
    { fields: { hint: { disableFilters: true } } },
    (note) => note.field('hint').disableFilters(),
  ],
])('%s makes the same schema from the file and from register()', async (_name, text, call) => {
  const fromFile = await schemaOf({ ...NOTE, graphql: { shadowCRUD: { note: text } } })
  const fromCode = await schemaOf(NOTE, {
    register: ({ graphql: { extension } }) => call(extension.shadowCRUD('api::note.note')),
  })
  expect(fromCode).toEqual(fromFile)
  expect(fromFile).not.toEqual(await schemaOf(NOTE))
})
