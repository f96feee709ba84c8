// Each shorthand means the same as its full form: print-config shows no difference.

import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { attributes, files, relations } from './forms.ts'
import { attributesOf, printed } from './printed.ts'

const others = {
  author: { attributes: { name: 'string' } },
  'api::forum.post': { attributes: { title: 'string' } },
  categories: { attributes: { name: 'string' } },
}
const components = {
  'shared.seo': { attributes: { title: 'string' } },
  'page.hero': { attributes: { title: 'string' } },
}

test.each(attributes)('%s', async (short, full) => {
  const whole = (attribute: unknown) => ({
    contentTypes: { ...others, article: { attributes: { title: 'string', other: 'string', it: attribute } } },
    components,
  })
  expect(await printed(whole(parse(short)))).toBe(await printed(whole(parse(full))))
})

test.each(files)('%s', async (_, short, full) => {
  expect(await printed(parse(short))).toBe(await printed(parse(full)))
})

test.each(relations)('relations: %s', async (_, short, expected) => {
  const found = await attributesOf(parse(`contentTypes: { ${short} }`))
  const shown = Object.entries(found).flatMap(([name, { type, relation, inversedBy, mappedBy }]) => {
    if (type !== 'relation') return []
    const other = inversedBy === undefined ? mappedBy && ` mappedBy ${mappedBy}` : ` inversedBy ${inversedBy}`
    return [[name, `${relation}${other ?? ''}`]]
  })
  expect(Object.fromEntries(shown)).toEqual(expected)
})

test('the order of the content-types does not change who owns a relation', async () => {
  const one = await attributesOf(parse('contentTypes: { a: { bs: [b] }, b: { as: [a] } }'))
  const two = await attributesOf(parse('contentTypes: { b: { as: [a] }, a: { bs: [b] } }'))
  expect(one['a.bs']).toEqual(two['a.bs'])
})

const sections: readonly (readonly [short: string, full: string])[] = [
  ['database: sqlite', 'database: { client: sqlite, filename: .data/cms.db }'],
  ['database: ./shop.sqlite3', 'database: { client: sqlite, filename: ./shop.sqlite3 }'],
  ['database: memory', 'database: { client: memory }'],
  ['database: postgres://a:b@c/d', 'database: { client: postgres, connection: postgres://a:b@c/d }'],
  ['public: [a, a.create]', 'auth: { roles: { public: { permissions: [a, a.create] } } }'],
  [
    'public: { name: All }\nauth: { roles: { clerk: [a.find] } }',
    'auth: { roles: { clerk: { permissions: [a.find] }, public: { name: All } } }',
  ],
  [
    'users: [{ username: ann, email: a@example.com }]\njwtSecret: x',
    'auth: { users: [{ username: ann, email: a@example.com }] }\njwtSecret: x',
  ],
  ['auth: { roles: { b: { extends: public } } }', 'auth: { roles: { b: { extends: [public] } } }'],
  ['graphql: true', 'plugins: { graphql: true }'],
  ['graphql: false\nplugins: { email: true }', 'plugins: { email: true, graphql: false }'],
  ['i18n: [fr, en]', 'plugins: { i18n: { config: { defaultLocale: fr, locales: [fr, en] } } }'],
  [
    'i18n: { locales: [en, { code: de, name: Deutsch }], default: de }',
    'plugins: { i18n: { config: { locales: [en, { code: de, name: Deutsch }], defaultLocale: de } } }',
  ],
  ['i18n: true', 'plugins: { i18n: true }'],
  ['jwtSecret: x', 'plugins: { users-permissions: { config: { jwtSecret: x } } }'],
  [
    'jwtSecret: x\nplugins: { users-permissions: true }',
    'plugins: { users-permissions: { config: { jwtSecret: x } } }',
  ],
]

test.each(sections)('%s', async (short, full) => {
  const types = 'contentTypes: { a: { attributes: { b: string } } }\n'
  expect(await printed(parse(types + short))).toBe(await printed(parse(types + full)))
})
