// The locales of a document of the dialect strapi-5: what they share, whichever write changes it, and the answers of
// the actions on its versions.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const own = { pluginOptions: { i18n: { localized: true } } }
const shared = { pluginOptions: { i18n: { localized: false } } }
const actions = (name: string) => [
  `${name}.*`,
  ...['publish', 'unpublish', 'discardDraft'].map((a) => `${name}.${a}`),
]

const attributes = {
  name: { type: 'string', ...own },
  shared: { type: 'string', ...shared },
  compo: { type: 'component', component: 'default.compo', ...shared },
  compos: { type: 'component', component: 'default.compo', repeatable: true, ...shared },
  zone: { type: 'dynamiczone', components: ['default.compo'], ...shared },
  label: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag', ...shared },
}

const config = {
  dialect: 'strapi-5',
  plugins: { i18n: { config: { locales: ['en', 'fr', 'es'] } }, graphql: true },
  contentTypes: {
    tag: { drafts: true, ...own, attributes: { name: { type: 'string', ...own } } },
    category: { drafts: true, ...own, attributes },
    /** Without drafts. */
    page: { ...own, attributes },
    article: {
      drafts: true,
      attributes: {
        title: 'string',
        categories: ['category'],
      },
    },
  },
  components: {
    'default.inner': {
      attributes: { tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' } },
    },
    'default.compo': {
      attributes: {
        name: 'string',
        tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
        tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
        any: { type: 'relation', relation: 'morphToMany' },
        inner: { type: 'component', component: 'default.inner' },
      },
    },
  },
  public: ['page.*', ...['tag', 'category', 'article'].flatMap(actions)],
}

let cms: Cms
let database: TestDatabase
beforeEach(async () => {
  database = await openTestDatabase()
  cms = await createCms(config as never, { env: {}, ...database.options })
})
afterEach(async () => {
  await cms.close()
  await database.drop()
})

// biome-ignore lint/suspicious/noExplicitAny: answers of any form
async function ask(method: string, path: string, data?: unknown): Promise<any> {
  const body = data === undefined ? {} : { body: JSON.stringify({ data }) }
  const response = await cms.fetch(`/api${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...body,
  })
  const answer = (await response.json()) as { data: unknown }
  expect(response.status, JSON.stringify(answer)).toBeLessThan(300)
  return answer.data
}

/** In English and French, published. */
async function makeTag(name: string): Promise<string> {
  const { documentId } = await ask('POST', '/tags', { name: `${name}-en` })
  await ask('PUT', `/tags/${documentId}?locale=fr`, { name: `${name}-fr` })
  return documentId
}

const everything = [
  'populate[compo][populate][tag]=true&populate[compo][populate][tags]=true&populate[compo][populate][any]=true',
  'populate[compo][populate][inner][populate]=tag&populate[compos][populate]=tag',
  'populate[zone][on][default.compo][populate]=tag&populate[label]=true',
].join('&')

describe('what locales share', () => {
  test('is put back in all of them by actions/discard, and what is of one locale stays', async () => {
    const tag = await makeTag('t')
    const other = await makeTag('o')
    const { documentId } = await ask('POST', '/categories?status=draft', { name: 'en', shared: 'one' })
    const path = `/categories/${documentId}`
    await ask('PUT', `${path}?locale=fr&status=draft`, { name: 'fr' })
    await ask('PUT', path, { shared: 'two', compo: { name: 'a', tag }, compos: [{ name: 'b', tag }] })
    await ask('PUT', `${path}?locale=es`, { name: 'es' })
    await ask('PUT', `${path}?locale=es&status=draft`, { name: 'es, changed' })
    await ask('PUT', `${path}?status=draft`, {
      shared: 'three',
      compo: { name: 'x', tag: other },
      compos: [],
    })
    await ask('POST', `${path}/actions/discard`)
    const draft = (locale: string) => ask('GET', `${path}?status=draft&locale=${locale}&${everything}`)
    const names = { en: 'en', fr: 'fr', es: 'es, changed' }
    for (const [locale, name] of Object.entries(names)) {
      const expected = locale === 'es' ? null : { name: `t-${locale}`, locale }
      expect(await draft(locale)).toMatchObject({
        name,
        shared: 'two',
        compo: { name: 'a', tag: expected },
        compos: [{ name: 'b', tag: expected }],
      })
    }
    const modified = await ask('GET', '/categories?status=draft&publicationFilter=modified&locale=es')
    expect(modified).toMatchObject([{ name: 'es, changed' }])
  })

  test.each(['category', 'page'])(
    'leads from components of a %s to the entries of each locale',
    async (type) => {
      const tag = await makeTag('t')
      const plural = type === 'page' ? 'pages' : 'categories'
      const any = [{ __type: 'api::tag.tag', documentId: tag }]
      const compo = { name: 'c', tag, tags: [tag], any, inner: { tag } }
      const zone = [{ __component: 'default.compo', name: 'z', tag }]
      const data = { name: 'en', compo, compos: [{ tag }, { name: 'none' }], zone, label: tag }
      const { documentId } = await ask('POST', `/${plural}`, { name: 'en' })
      const path = `/${plural}/${documentId}`
      // `fr` is there before the components are written, `es` is made afterwards.
      await ask('PUT', `${path}?locale=fr`, { name: 'fr' })
      await ask('PUT', path, data)
      await ask('PUT', `${path}?locale=fr`, { name: 'fr' })
      await ask('PUT', `${path}?locale=es`, { name: 'es' })
      for (const status of ['draft', 'published']) {
        for (const locale of ['en', 'fr', 'es']) {
          const there = locale === 'es' ? null : expect.objectContaining({ name: `t-${locale}`, locale })
          const found = await ask('GET', `${path}?status=${status}&locale=${locale}&${everything}`)
          expect(found, `${status} ${locale}`).toMatchObject({
            name: locale,
            compo: { name: 'c', tag: there, inner: { tag: there } },
            compos: [{ tag: there }, { name: 'none', tag: null }],
            zone: [{ name: 'z', tag: there }],
          })
          for (const list of [found.compo.tags, found.compo.any])
            expect(list, `${status} ${locale}`).toEqual(there === null ? [] : [there])
          // Relations of the document itself are each locale's own; a new one begins with those of another.
          if (locale !== 'fr') expect(found.label, `${status} ${locale}`).toEqual(there)
        }
      }
    },
  )
})

describe('the answer of an action shows the version that it is about', () => {
  async function make() {
    const { documentId: category } = await ask('POST', '/categories', { name: 'Cat1' })
    const { documentId } = await ask('POST', '/articles', { title: 'A', categories: [category] })
    return `/articles/${documentId}`
  }
  const populate = 'populate[categories][fields]=name'
  const cats = (publishedAt: unknown) => [expect.objectContaining({ name: 'Cat1', publishedAt })]

  test.each(['', 'status=draft&', 'status=published&'])('%s', async (status) => {
    const path = await make()
    const full = `${status}populate[categories][fields][0]=name&populate[categories][fields][1]=publishedAt`
    await ask('PUT', `${path}?status=draft`, { categories: [] })
    expect((await ask('POST', `${path}/actions/discard?${full}`)).categories).toEqual(cats(null))
    expect((await ask('POST', `${path}/actions/unpublish?${full}`)).categories).toEqual(cats(null))
    expect((await ask('POST', `${path}/actions/publish?${full}`)).categories).toEqual(
      cats(expect.any(String)),
    )
  })

  test('also to programs', async () => {
    const path = await make()
    const id = path.slice('/articles/'.length)
    await ask('PUT', `${path}?status=draft&${populate}`, { categories: [] })
    const articles = cms.entries('article')
    const query = { populate: 'categories' }
    expect((await articles.discardDraft(id, query))['categories']).toMatchObject(cats(null))
    expect((await articles.unpublish(id, query))['categories']).toMatchObject(cats(null))
    expect((await articles.publish(id, query))['categories']).toMatchObject(cats(expect.any(String)))
  })
})

describe('GraphQL: a filter by locale', () => {
  async function tags(args: string, variables?: object): Promise<unknown> {
    const declared = variables === undefined ? '' : '($filters: TagFiltersInput, $locale: I18NLocaleCode)'
    const query = `query ${declared} { tags(sort: "name"${args}) { name } }`
    const response = await cms.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: { tags: unknown }; errors?: unknown }
    expect(errors).toBeUndefined()
    return data.tags
  }

  test('finds the entries of other locales without the argument', async () => {
    await makeTag('a')
    await makeTag('b')
    const english = [{ name: 'a-en' }, { name: 'b-en' }]
    const french = [{ name: 'a-fr' }, { name: 'b-fr' }]
    expect(await tags('')).toEqual(english)
    expect(await tags(', filters: { locale: { eq: "fr" } }')).toEqual(french)
    expect(await tags(', filters: { locale: { eq: "fr" } }, locale: null')).toEqual(french)
    expect(await tags(', filters: { locale: { eq: "fr" } }, locale: "en"')).toEqual([])
    expect(await tags(', filters: { locale: { ne: "en" } }, status: DRAFT')).toEqual(french)
    expect(await tags(', filters: { name: { contains: "-" } }')).toEqual(english)
    const variables = { filters: { locale: { in: ['fr', 'es'] } } }
    expect(await tags(', filters: $filters, locale: $locale', variables)).toEqual(french)
    const all = { filters: { name: { contains: 'a' } }, locale: '*' }
    expect(await tags(', filters: $filters, locale: $locale', all)).toEqual([
      { name: 'a-en' },
      { name: 'a-fr' },
    ])
  })
})
