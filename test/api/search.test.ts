// Searches over `index: text`: words, quotes and minus, the order by relevance, highlights, and attributes that the caller
// may not read.

import { describe, expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const TOKEN = 'titles-0123456789abcdef'
const options = { draftAndPublish: false }
const config = {
  contentTypes: {
    article: {
      options,
      index: [{ text: ['title', 'body'] }],
      attributes: {
        title: 'string',
        body: 'text',
        slug: 'string',
        secret: { type: 'text', index: 'text', private: true },
        views: 'integer',
      },
    },
    plain: { options, attributes: { title: 'string' } },
  },
  plugins: { graphql: true },
  auth: {
    roles: { public: { permissions: ['article.find', 'article.findOne', 'plain.find'] } },
    apiTokens: [
      {
        name: 'titles',
        type: 'custom',
        token: TOKEN,
        permissions: [{ 'article.find': { fields: ['title', 'slug', 'views'] } }],
      },
    ],
  },
  data: {
    article: [
      { title: 'Garden', body: 'A lamp, a blue lamp & <b>more</b>', views: 42, secret: 'hidden lamp' },
      { title: 'Blue lamp', body: 'Nothing' },
      {
        title: 'Red',
        body: 'No lamp, but a very long text about other things in the house',
        slug: 'red-lamp',
      },
      { title: 'Sofa', slug: 'blue-lamp', views: 7, secret: 'blue' },
      { title: 'Bed', body: 'It is blue.' },
    ],
    plain: [{ title: 'a lamp' }, { title: 'lamp a' }],
  },
} as const

interface Marked {
  readonly _highlight: object | null
}

describe.each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  const cms = openForTests({ ...config, dialect })

  async function ask(query: string, path = 'articles', token?: string): Promise<string> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const response = await cms().fetch(`/api/${path}?${query}`, { headers })
    const { data, error } = (await response.json()) as {
      data: readonly { id: number; _highlight?: object; attributes?: { _highlight?: object } }[] | null
      error?: { message: string; status: number }
    }
    if (error !== undefined) return `${error.status} ${error.message}`
    return (data ?? [])
      .map(({ id, _highlight, attributes }) => {
        const marked = attributes?._highlight ?? _highlight
        return marked === undefined ? String(id) : `${id} ${JSON.stringify(marked)}`
      })
      .join('; ')
  }

  test.each([
    ['_q=lamp', '1; 2; 3; 4'],
    ['_q=lamp&filters[id][$notIn]=1', '2; 3; 4'],
    ['_q=blue', '2; 5; 1; 4'],
    ['_q=lamp&sort=id', '1; 2; 3; 4'],
    ['_q=lamp&sort=title:desc', '4; 3; 1; 2'],
    ['_q=LAMP blue', '2; 1; 4'],
    ['_q="blue lamp"', '2; 1'],
    ['_q=lamp -blue', '3'],
    ['_q=lamp -"blue lamp"', '3; 4'],
    ['_q=-lamp', '5'],
    ['_q=42', '1'],
    ['_q=-42', '2; 3; 4; 5'],
    ['_q=hidden', ''],
    ['_q=-hidden', '1; 2; 3; 4; 5'],
    ['_q=', '1; 2; 3; 4; 5'],
    ['_q=""', '1; 2; 3; 4; 5'],
    ['_q="open end', ''],
    ['_q=lamp&filters[id][$gt]=1', '2; 3; 4'],
    ['_q=lamp&pagination[pageSize]=2&pagination[page]=2', '3; 4'],
    ['_q=a b c d e f g h i', '400 Too many words in _q: at most 8 are allowed'],
    ['_highlight=yes', '400 Invalid parameter _highlight: expected true or false'],
    ['_q=sofa&_highlight=false', '4'],
    ['_highlight=true&filters[id]=1', '1'],
    ['_q=bed&_highlight=true&fields[0]=views', '5 {"title":"<mark>Bed</mark>"}'],
    [
      '_q=lamp blue&_highlight=true',
      '2 {"title":"<mark>Blue</mark> <mark>lamp</mark>"}; ' +
        '1 {"body":"A <mark>lamp</mark>, a <mark>blue</mark> <mark>lamp</mark> &#38; &#60;b&#62;more&#60;/b&#62;"}; 4 {}',
    ],
  ])('%s', async (query, expected) => {
    expect(await ask(query)).toBe(expected)
  })

  test('a long text is cut around the words, and a long word is marked whole', async () => {
    const before = 'Some words before it. '.repeat(10)
    const long = 'x'.repeat(180)
    const text = `${before}here is ${long} and more. ${'Some words behind it. '.repeat(10)}`
    const { id } = await cms().entries('article').create({ title: 'Long', body: text })
    for (const [search, marked] of [
      ['here', /^…[^…]{40,}<mark>here<\/mark> is…$/],
      [long, new RegExp(`^…[^…]*<mark>${long}</mark>`)],
      ['Some', /^<mark>Some<\/mark> words before it\. .*…$/],
    ] as const) {
      const found = await ask(`_q=${search}&_highlight=true&filters[id]=${id}`)
      const { body } = JSON.parse(found.slice(found.indexOf(' ') + 1)) as { body: string }
      expect(body).toMatch(marked)
      expect(body.replaceAll(/<\/?mark>/g, '').length).toBeLessThan(320)
    }
    await cms().entries('article').deleteMany({ title: 'Long' })
  })

  test('without an index, the search is one text', async () => {
    expect(await ask('_q=lamp a', 'plains')).toBe('2')
    expect(await ask('_q=lamp', 'plains')).toBe('1; 2')
    expect(await ask(`_q=${'x'.repeat(5000)}`)).toBe('400 _q must be at most 4096 characters without NUL')
    expect(await ask('_q=lamp&_highlight=true', 'plains')).toBe(
      '400 _highlight needs texts with an index, and api::plain.plain has none: declare index: text at its texts, or remove _highlight',
    )
  })

  test('an attribute that the caller may not read is not searched, ranked or marked', async () => {
    expect(await ask('_q=lamp&_highlight=true', 'articles', TOKEN)).toBe(
      '2 {"title":"Blue <mark>lamp</mark>"}; 3 {}; 4 {}',
    )
    // Article 5 has the word where the caller cannot look.
    expect(await ask('_q=-blue', 'articles', TOKEN)).toBe('1; 3; 5')
  })

  test('a search of one entry has no effect', async () => {
    const path = dialect === 'strapi-4' ? 'articles/1' : undefined
    if (path !== undefined)
      expect(await ask('_highlight=true', path)).toBe(
        '400 Query parameter _highlight has no effect here: the id names the entry; ask the list, or remove it',
      )
  })

  test('a list by cursor keeps the order of its entries', async () => {
    expect(await ask('_q=lamp&pagination[after]=&pagination[pageSize]=3')).toBe('1; 2; 3')
  })

  test('GraphQL', async () => {
    const entry = dialect === 'strapi-4' ? 'data { id _highlight }' : 'documentId _highlight'
    const query = `query ($search: String) { articles(search: $search) { ${entry} } plains { __typename } }`
    const ask = async (search: string | null) => {
      const body = JSON.stringify({ query, variables: { search } })
      const headers = { 'content-type': 'application/json' }
      const response = await cms().fetch('/graphql', { method: 'POST', headers, body })
      const { data, errors } = (await response.json()) as {
        data: { articles: readonly Marked[] & { readonly data: readonly Marked[] } }
        errors?: unknown
      }
      expect(errors).toBeUndefined()
      return (data.articles.data ?? data.articles).map(({ _highlight }) => _highlight)
    }
    expect(await ask('"blue lamp"')).toEqual([
      { title: '<mark>Blue lamp</mark>' },
      { body: 'A lamp, a <mark>blue lamp</mark> &#38; &#60;b&#62;more&#60;/b&#62;' },
    ])
    expect(await ask(null)).toEqual([null, null, null, null, null])
  })

  test('code', async () => {
    const articles = cms().entries('article')
    const found = await articles.findMany({ search: 'lamp blue', highlight: true, status: 'published' })
    expect(found.map(({ id, _highlight }) => [id, _highlight])).toEqual([
      [2, { title: '<mark>Blue</mark> <mark>lamp</mark>' }],
      [
        1,
        {
          body: 'A <mark>lamp</mark>, a <mark>blue</mark> <mark>lamp</mark> &#38; &#60;b&#62;more&#60;/b&#62;',
        },
      ],
      [4, {}],
    ])
    expect(await articles.count({ search: '"blue lamp"' })).toBe(2)
  })
})
