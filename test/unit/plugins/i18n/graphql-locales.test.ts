import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../../src/index.ts'

let cms: Cms
beforeAll(async () => {
  cms = await createCms(
    {
      contentTypes: {},
      plugins: {
        graphql: true,
        i18n: { config: { locales: ['en', { code: 'fr', name: 'Français' }, 'pt-BR'] } },
      },
      auth: { roles: { public: { permissions: ['plugin::i18n.locales.listLocales'] } } },
    },
    { env: {} },
  )
})
afterAll(() => cms.close())

async function ask(query: string): Promise<unknown> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const response = await cms.fetch('/graphql', { ...init, body: JSON.stringify({ query }) })
  return response.json()
}

async function codes(args: string): Promise<readonly string[]> {
  const { data, errors } = (await ask(`{ i18NLocales${args} { data { attributes { code } } } }`)) as {
    data?: { i18NLocales: { data: { attributes: { code: string } }[] } }
    errors?: { message: string }[]
  }
  return (
    errors?.map(({ message }) => message) ?? data?.i18NLocales.data.map((one) => one.attributes.code) ?? []
  )
}

test.each([
  ['', ['en', 'fr', 'pt-BR']],
  ['(filters: { code: { eq: "fr" } })', ['fr']],
  ['(filters: { code: { in: ["fr", "en"] } })', ['en', 'fr']],
  ['(filters: { code: { notIn: ["fr", "en"] } })', ['pt-BR']],
  ['(filters: { code: { eqi: "PT-br" } })', ['pt-BR']],
  ['(filters: { code: { eq: "pt-br" } })', []],
  ['(filters: { name: { containsi: "FRAN" } })', ['fr']],
  ['(filters: { name: { startsWith: "F" }, id: { gt: 2 } })', []],
  ['(filters: { id: { between: [2, 3] } })', ['fr', 'pt-BR']],
  ['(filters: { id: { gte: 10 } })', []],
  ['(filters: { or: [{ id: { eq: 1 } }, { code: { endsWith: "R" } }] })', ['en', 'pt-BR']],
  ['(filters: { and: [{ id: { ne: 1 } }, { not: { code: { contains: "-" } } }] })', ['fr']],
  ['(filters: { code: { not: { eq: "fr" } } })', ['en', 'pt-BR']],
  ['(filters: { code: { or: ["en", "fr"] } })', ['en', 'fr']],
  ['(filters: { code: { null: true } })', []],
  ['(filters: { code: { notNull: true } })', ['en', 'fr', 'pt-BR']],
  ['(filters: { code: { eq: null } })', []],
  ['(filters: { not: { code: { eq: null } } })', ['en', 'fr', 'pt-BR']],
  ['(filters: { createdAt: { lt: "2000-01-01T00:00:00.000Z" } })', []],
  ['(filters: { createdAt: { gt: "2000-01-01T00:00:00+02:00" } })', ['en', 'fr', 'pt-BR']],
  ['(sort: "code:desc")', ['pt-BR', 'fr', 'en']],
  ['(sort: ["createdAt", "id:desc"])', ['pt-BR', 'fr', 'en']],
  ['(pagination: { pageSize: 2 })', ['en', 'fr']],
  ['(pagination: { page: 2, pageSize: 2 })', ['pt-BR']],
  ['(pagination: { start: 1, limit: 1 })', ['fr']],
  ['(pagination: { limit: -1 })', ['en', 'fr', 'pt-BR']],
  ['(pagination: { limit: 1, page: 1 })', ['Cannot use both page & offset pagination in the same query']],
  ['(sort: "isDefault")', ['Invalid parameter isDefault']],
])('i18NLocales%s', async (args, expected) => {
  expect(await codes(args)).toEqual(expected)
})

test('one of them, and how many there are', async () => {
  const query =
    '{ one: i18NLocale(id: 2) { data { id attributes { name } } } none: i18NLocale(id: 9) { data { id } } i18NLocales(pagination: { pageSize: 2 }) { meta { pagination { total page pageSize pageCount } } } }'
  expect(await ask(query)).toEqual({
    data: {
      one: { data: { id: '2', attributes: { name: 'Français' } } },
      none: { data: null },
      i18NLocales: { meta: { pagination: { total: 3, page: 1, pageSize: 2, pageCount: 2 } } },
    },
  })
})
