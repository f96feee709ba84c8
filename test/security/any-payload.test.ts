// Whatever JSON a payload holds, a write is answered or refused, never failed by an internal error: every attribute type, create
// and update, over REST and GraphQL.

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const ofType = (type: string) => ({ type })
const to = (relation: string, more = {}) => ({ type: 'relation', relation, target: 'api::tag.tag', ...more })
const component = (repeatable: boolean) => ({ type: 'component', component: 'ui.box', repeatable })

const SCALARS = [
  ...['string', 'text', 'richtext', 'email', 'password', 'uid', 'integer', 'biginteger', 'float', 'decimal'],
  ...['boolean', 'date', 'time', 'datetime', 'timestamp', 'json', 'blocks'],
]
const ATTRIBUTES = {
  ...Object.fromEntries(SCALARS.map((type) => [`a_${type}`, ofType(type)])),
  a_enumeration: { type: 'enumeration', enum: ['one', 'two'] },
  a_unique: { type: 'string', unique: true },
  a_private: { type: 'string', private: true },
  a_ruled: { type: 'string', regex: '^a+$', minLength: 2, maxLength: 5 },
  a_one: to('manyToOne'),
  a_many: to('manyToMany', { inversedBy: 'things' }),
  a_exclusive: to('oneToMany', { mappedBy: 'thing' }),
  a_morph: { type: 'relation', relation: 'morphToMany' },
  a_file: { type: 'media' },
  a_files: { type: 'media', multiple: true },
  a_component: component(false),
  a_components: component(true),
  a_zone: { type: 'dynamiczone', components: ['ui.box', 'ui.leaf'] },
}

const SECRET: readonly string[] = ['a_password', 'a_private']

const CONFIG = {
  server: { log: { level: 'error' } },
  contentTypes: {
    thing: {
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: ATTRIBUTES,
    },
    tag: {
      attributes: {
        name: 'string',
        things: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing', mappedBy: 'a_many' },
        thing: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'api::thing.thing',
          inversedBy: 'a_exclusive',
        },
      },
    },
  },
  components: {
    'ui.box': {
      attributes: {
        text: { type: 'string', unique: true },
        day: 'date',
        tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
        leaves: { type: 'component', component: 'ui.leaf', repeatable: true },
      },
    },
    'ui.leaf': { attributes: { body: 'blocks', facts: 'json', count: 'integer' } },
  },
  plugins: {
    i18n: { config: { locales: ['en', 'de'], defaultLocale: 'en' } },
    graphql: true,
    'users-permissions': { config: { jwtSecret: 'a-secret-of-this-test-alone-0123456789' } },
  },
  auth: { roles: { public: { permissions: ['api::*.*.*', 'plugin::*.*.*'] } } },
  data: { tag: [{ id: 1, name: 'a' }, { id: 2 }], thing: [{ id: 1, a_components: [{ id: 1, text: 'x' }] }] },
}

/** What our own code looks for, what every object of JavaScript has, and names of attributes. */
const key = fc.constantFrom(
  ...['id', 'set', 'connect', 'disconnect', 'position', 'start', 'end', 'before', 'after', 'options'],
  ...[
    '__component',
    '__type',
    'type',
    'children',
    'text',
    'format',
    'level',
    'url',
    'image',
    'bold',
    'count',
  ],
  ...['toString', 'valueOf', 'constructor', 'length', 'then', 'toJSON', 'hasOwnProperty', 'data', 'locale'],
  ...['leaves', 'body', 'facts', 'day', 'tag', 'name', 'publishedAt', 'createdAt', 'localizations', ''],
)
const scalar = fc.oneof(
  fc.constantFrom(
    ...[
      '1',
      '0',
      '-1',
      '2',
      '1.5',
      '-0',
      '1e400',
      '9007199254740993',
      '18446744073709551616',
      '1e-400',
      'null',
    ],
    ...['true', 'false', '""', '"1"', '"a"', '"api::tag.tag"', '"api::thing.thing"', '"ui.box"', '"ui.leaf"'],
    ...['"paragraph"', '"text"', '"list"', '"link"', '"image"', '"ordered"', '"heading"', '"list-item"'],
    ...['"2024-01-01"', '"24:00:00"', '"2024-01-01T00:00:00Z"', '"a@b.de"', '"\\u0000"', '"\\ud800"', '" 1"'],
    ...['"de"', '"one"', '"constructor"', '"__proto__"', '"1e400"', '"0x1"', '"-9223372036854775809"'],
  ),
  fc.integer().map(String),
  fc.string({ maxLength: 3 }).map((text) => JSON.stringify(text)),
)
const list = (parts: readonly string[]): string => `[${parts.join(',')}]`
const object = (entries: readonly (readonly [string, string])[]): string =>
  `{${[...new Map(entries)].map(([name, part]) => `${JSON.stringify(name)}:${part}`).join(',')}}`
/** JSON as text: it can say more than a value of JavaScript does. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }).map(list),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 4 }).map(object),
    // More elements than a function takes arguments.
    fc.tuple(scalar, fc.constantFrom(50, 2000)).map(([part, count]) => list(Array(count).fill(part))),
  ),
}))
const attribute = fc.constantFrom(...Object.keys(ATTRIBUTES), 'localizations', 'publishedAt', 'locale')
/** Short ones: what was stored as one may not stand in an answer. */
const secret = fc.constantFrom(
  '1',
  'null',
  '""',
  '"abc"',
  '[1]',
  '{"toString":1}',
  '{"a":[]}',
  'true',
  '1e400',
)
const member = fc
  .tuple(attribute, json, secret)
  .map(([name, value, hidden]) => [name, SECRET.includes(name) ? hidden : value] as const)
const payload = fc.array(member, { minLength: 1, maxLength: 3 }).map(object)

let cms: Cms
let database: TestDatabase
let log: string
let restore: () => Promise<void>
beforeAll(async () => {
  database = await openTestDatabase()
  cms = await createCms(CONFIG, {
    ...database.options,
    env: {},
    log: (line) => {
      log += line
    },
  })
  restore = await database.keep(cms)
})
afterEach(() => restore())
afterAll(async () => {
  await cms.close()
  await database.drop()
})

interface Door {
  readonly name: string
  readonly method: string
  readonly path: string
  body(data: string): string
}

const graphql = (name: string, document: string): Door => ({
  name,
  method: 'POST',
  path: '/graphql',
  body: (data) => `{"query":${JSON.stringify(document)},"variables":{"data":${data}}}`,
})

const doors: readonly Door[] = [
  { name: 'create', method: 'POST', path: '/api/things?fields=id', body: (data) => `{"data":${data}}` },
  { name: 'update', method: 'PUT', path: '/api/things/1?fields=id', body: (data) => `{"data":${data}}` },
  { name: 'localize', method: 'POST', path: '/api/things/1/localizations', body: (data) => data },
  graphql('createThing', 'mutation ($data: ThingInput!) { createThing(data: $data) { data { id } } }'),
  graphql('updateThing', 'mutation ($data: ThingInput!) { updateThing(id: 1, data: $data) { data { id } } }'),
]

async function statusOf({ method, path, body }: Door, data: string): Promise<number> {
  log = ''
  const headers = { 'content-type': 'application/json' }
  const response = await cms.fetch(path, { method, headers, body: body(data) })
  await response.text()
  return response.status
}

test.each(doors)('$name', async (door) => {
  let answered = 0
  await fc.assert(
    fc.asyncProperty(payload, async (data) => {
      const status = await statusOf(door, data)
      expect({ data, log, failed: status >= 500 }).toEqual({ data, log: '', failed: false })
      if (status === 200) answered += 1
    }),
    { numRuns: 300 },
  )
  // Of localizations there is one of each locale.
  if (door.name !== 'localize') expect(answered).toBeGreaterThan(0)
})

const USER = ['username', 'email', 'password', 'role', 'confirmed', 'blocked', 'provider', 'id', 'createdAt']
const ROLE = ['name', 'description', 'permissions', 'users', 'type', 'id']

interface PluginDoor extends Door {
  readonly keys: readonly string[]
}

const pluginDoor = (method: string, path: string, keys: readonly string[]): PluginDoor => {
  return { name: `${method} ${path}`, method, path, keys, body: (data) => data }
}

/** Users and roles are written by routes of their own. */
const pluginDoors: readonly PluginDoor[] = [
  pluginDoor('POST', '/api/users', USER),
  pluginDoor('PUT', '/api/users/1', USER),
  pluginDoor('POST', '/api/users-permissions/roles', ROLE),
  pluginDoor('PUT', '/api/users-permissions/roles/1', ROLE),
]

test.each(pluginDoors)('$name', async (door) => {
  const named = fc.tuple(
    fc.constantFrom(...door.keys),
    fc.oneof(secret, fc.array(secret, { maxLength: 2 }).map(list)),
  )
  const nestedPart = fc.tuple(fc.constantFrom('role', 'permissions', 'users'), json)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(named, nestedPart), { maxLength: 5 }).map(object), async (data) => {
      const status = await statusOf(door, data)
      expect({ data, log, failed: status >= 500 }).toEqual({ data, log: '', failed: false })
    }),
    { numRuns: 200 },
  )
})

/** As many of it as a body of the usual largest size holds. */
const filling = (part: string): string => list(Array(Math.floor(990_000 / (part.length + 1))).fill(part))
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const LARGE: readonly string[] = [
  ...['{}', '1', '{"leaves":[{}]}', '{"type":"list","children":[{}]}', '{"body":[{}]}', nested(50)].map(
    filling,
  ),
  ...['{"__component":"ui.leaf"}', '{"__type":"api::tag.tag","id":1}'].map(filling),
  `[{"type":"paragraph","children":${filling('{}')}}]`,
  `[{"leaves":${filling('{"count":"x"}')}}]`,
  `{"connect":${filling('{"id":1}')}}`,
  `"${'x'.repeat(990_000)}"`,
]
const HOLDING_MUCH = [
  'a_blocks',
  'a_json',
  'a_components',
  'a_zone',
  'a_many',
  'a_morph',
  'a_string',
  'a_date',
]

test.each(doors.filter(({ name }) => name.startsWith('create')))(
  'much of anything by $name',
  async (door) => {
    for (const name of HOLDING_MUCH) {
      for (const value of LARGE) {
        log = ''
        const headers = { 'content-type': 'application/json' }
        const body = door.body(`{"${name}":${value}}`)
        const response = await cms.fetch(door.path, { method: door.method, headers, body })
        const text = await response.text()
        const seen = { name, value: value.slice(0, 40), log: log.slice(0, 500) }
        expect({ ...seen, failed: response.status >= 500 }).toEqual({ ...seen, log: '', failed: false })
        expect({ ...seen, short: text.length < 50_000 }).toEqual({ ...seen, short: true })
      }
    }
  },
)
