// What an edit of the code sections opens to everybody is said like a permission.

import { expect, test } from 'vitest'
import { checkConfig, isValid } from '../../../src/app/check-config.ts'
import { getAccess, listWidenings } from '../../../src/describe/access-summary.ts'

async function access(find: object, more: object = {}) {
  const contentTypes = { note: { attributes: { text: 'string' }, rest: { config: { find } } } }
  const object = { contentTypes, plugins: { graphql: true }, ...more }
  const checked = await checkConfig({ object }, { env: {} })
  if (!isValid(checked)) throw new Error(JSON.stringify(checked.diagnostics))
  return getAccess(checked)
}

test('routes and resolvers that ask nobody', async () => {
  const before = await access({})
  const graphql = { resolversConfig: { 'Query.notes': { auth: false }, 'Query.note': {} } }
  expect(listWidenings(before, await access({ auth: false }, { graphql }))).toEqual([
    'the role public gains api::note.note.find',
    'the role public gains Query.notes',
  ])
  expect(listWidenings(before, await access({ auth: { scope: ['note.update'] } }))).toEqual([])
})

type Permissions = readonly unknown[]

/** What is said of an edit of the permissions of a role, or of an API token. */
async function said(before: Permissions, after: Permissions, type = 'custom'): Promise<readonly string[]> {
  const auth = (permissions: Permissions, last: string) => ({
    roles: { member: { permissions } },
    apiTokens: [
      { name: 'app', type: last, token: 'token-of-the-test', ...(last === 'custom' && { permissions }) },
    ],
  })
  const more = {
    plugins: { 'users-permissions': { config: { jwtSecret: '0123456789abcdef0123456789abcdef' } } },
  }
  return listWidenings(
    await access({}, { ...more, auth: auth(before, 'custom') }),
    await access({}, { ...more, auth: auth(after, type) }),
  )
}

const changed = (what: string): readonly string[] =>
  ['the role member', 'the API token "app"'].map((who) => `the rule of ${who} for api::note.note.${what}`)

test.each([
  ['equal, written otherwise', { where: 'id<3&&text=="a"' }, { where: 'id < 3  && text == "a"' }],
  ['one more condition', { where: 'id < 3' }, { where: 'text == "a" && id < 3' }],
  [
    'conditions in another order',
    { where: 'id < 3 && text == "a"' },
    { where: 'text == "a" && id < 3 && id > 1' },
  ],
  ['an alternative less', { where: 'id < 3 || text == "a" || id == 7' }, { where: 'id == 7 || id < 3' }],
  ['fewer attributes', { fields: ['id', 'text'] }, { fields: ['id'] }],
  ['attributes where there were all', { where: 'id < 3' }, { where: 'id < 3', fields: ['text'] }],
])('no wider: %s', async (_, before, after) => {
  expect(await said([{ 'note.find': before }], [{ 'note.find': after }])).toEqual([])
})

test.each([
  ['another bound', { where: 'id < 3' }, { where: 'id < 4' }],
  ['a condition less', { where: 'id < 3 && text == "a"' }, { where: 'id < 3' }],
  ['one more alternative', { where: 'id < 3' }, { where: 'id < 3 || text == "a"' }],
  ['the opposite', { where: 'id < 3' }, { where: '!(id < 3)' }],
  ['more attributes', { where: 'id < 3', fields: ['id'] }, { where: 'id < 3', fields: ['id', 'text'] }],
  ['all attributes', { where: 'id < 3', fields: ['text'] }, { where: 'id < 3' }],
  ['only attributes instead of entries', { where: 'id < 3' }, { fields: ['text'] }],
])('changed: %s', async (_, before, after) => {
  expect(await said([{ 'note.find': before }], [{ 'note.find': after }])).toEqual(changed('find changed'))
})

test('rules for writes', async () => {
  const update = { where: 'id < 3', set: { text: '"a"' } }
  const from = [{ 'note.update': update }]
  expect(await said(from, [{ 'note.update': { ...update, check: 'text == "a"' } }])).toEqual([])
  expect(await said([{ 'note.update': { ...update, check: 'id == 1' } }], from)).toEqual(
    changed('update changed'),
  )
  expect(await said(from, [{ 'note.update': { ...update, set: { text: '"b"' } } }])).toEqual(
    changed('update changed'),
  )
  expect(await said(from, [{ 'note.update': { where: 'id < 3' } }])).toEqual(changed('update changed'))
  // What the first of two sets, the second did not.
  const other = { where: 'id < 3', set: { text: '"b"' } }
  expect(await said([...from, { 'note.update': other }], [{ 'note.update': other }])).toEqual(
    changed('update changed'),
  )
})

test('permissions that come and go', async () => {
  const [few, more] = [{ 'note.find': { where: 'id < 3' } }, { 'note.find': { where: 'id == 9' } }]
  expect(await said([few, more], [more])).toEqual([])
  expect(await said([few], [few, more])).toEqual(changed('find changed'))
  expect(await said([few], ['note.find'])).toEqual(changed('find is gone'))
  expect(await said(['note.find'], [few])).toEqual([])
  expect(await said([], [few])).toEqual([
    'the role member gains api::note.note.find',
    'the API token "app" gains api::note.note.find',
  ])
  expect(await said(['note.find'], ['note.find'], 'full-access')).toEqual([
    'the API token "app" gains full access',
  ])
})

test('a route that asks nobody asks no rule', async () => {
  const auth = { roles: { public: { permissions: [{ 'note.find': { where: 'id < 3' } }] } } }
  expect(listWidenings(await access({}, { auth }), await access({ auth: false }, { auth }))).toEqual([
    'the rule of the role public for api::note.note.find is gone',
  ])
})

type Attributes = Readonly<Record<string, unknown>>

/** What is said when the attributes of a content-type, whose old name is `was`, become others. */
async function saidOf(before: Attributes, after: Attributes, type: object = { collectionName: 'notes' }) {
  const of = async (attributes: Attributes, more: object) => {
    const checked = await checkConfig(
      { object: { contentTypes: { note: { ...more, attributes } } } },
      { env: {} },
    )
    if (!isValid(checked)) throw new Error(JSON.stringify(checked.diagnostics))
    return getAccess(checked)
  }
  return listWidenings(await of(before, {}), await of(after, type))
}

const secret = { type: 'string', private: true }

test.each<[string, Attributes, Attributes, readonly string[]]>([
  ['no longer private', { a: secret }, { a: 'string' }, ['api::note.note.a is no longer private']],
  [
    'renamed',
    { a: secret },
    { b: { type: 'string', renamedFrom: 'a' } },
    ['b shows api::note.note.a, which was private'],
  ],
  [
    'computed',
    { a: secret },
    { a: secret, b: { computed: 'a + "!"' } },
    ['b shows api::note.note.a, which was private'],
  ],
  [
    'made of it',
    { a: secret },
    { a: secret, b: { type: 'uid', targetField: 'a' } },
    ['b shows api::note.note.a, which was private'],
  ],
  ['a password', { a: 'password' }, { a: 'string' }, ['api::note.note.a is no longer private']],
  [
    'computed before',
    { a: secret, b: { computed: 'a + "!"' } },
    { a: secret, b: { computed: 'a + "?"' } },
    [],
  ],
  ['renamed and private', { a: secret }, { b: { ...secret, renamedFrom: 'a' } }, []],
  ['gone', { a: secret, c: 'string' }, { c: 'string' }, []],
])('a private attribute: %s', async (_, before, after, said) => {
  expect(await saidOf(before, after)).toEqual(said.map((text) => text.replace(/^b /, 'api::note.note.b ')))
})

test.each<[string, object, object, readonly string[]]>([
  [
    'a policy',
    { policies: [{ cel: 'true' }] },
    {},
    ['the policy {"cel":"true"} of api::note.note.find is gone'],
  ],
  ['a closed route', { closed: 'soon' }, {}, ['api::note.note.find is no longer closed']],
  [
    'a scope',
    { auth: { scope: ['note.update'] } },
    {},
    ['api::note.note.find asks for other permissions (auth.scope)'],
  ],
  ['one policy more', {}, { policies: [{ cel: 'true' }] }, []],
])('options of a route: %s', async (_, before, after, said) => {
  expect(listWidenings(await access(before), await access(after))).toEqual(said)
})

test('pages of the console', async () => {
  const role = (console: unknown) =>
    access({}, { auth: { roles: { editor: { permissions: ['note.find'], console } } } })
  expect(listWidenings(await role(undefined), await role({ pages: ['data'] }))).toEqual([
    'the role editor gains the page data of the console',
  ])
  expect(listWidenings(await role(true), await role({ pages: ['data'] }))).toEqual([])
})
