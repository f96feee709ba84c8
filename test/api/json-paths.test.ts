// Filters and sorts by values inside JSON attributes.

import { describe, expect, test } from 'vitest'
import { openForTests } from '../support/open-for-tests.ts'

const options = { draftAndPublish: false }
const config = {
  contentTypes: {
    item: {
      options,
      attributes: {
        name: 'string',
        extra: 'json',
        hidden: { type: 'json', private: true },
        box: { type: 'relation', relation: 'manyToOne', target: 'api::box.box' },
      },
    },
    box: { options, attributes: { extra: 'json' } },
  },
  plugins: { graphql: true },
  auth: { roles: { public: { permissions: ['item.find', 'box.find'] } } },
  data: {
    box: [{ id: 1, extra: { kind: 'x' } }],
    item: [
      {
        name: 'a',
        extra: { size: 3, label: 'b', on: true, tags: ['x', 'y'], in: { deep: 1.5 }, 'the key': 1 },
        hidden: { size: 1 },
      },
      { name: 'b', extra: { size: 20, label: 'a', on: false, tags: [], in: {}, big: 1e21 }, box: 1 },
      { name: 'c', extra: { size: '3', label: 'ж', on: 1, nothing: null, nul: 'a\u0000b' } },
      { name: 'd', extra: [1, { size: 7 }] },
      { name: 'e', extra: 'size' },
      { name: 'f' },
    ],
  },
}

const indexed = [
  'extra.size',
  'extra.label',
  'extra.on',
  'extra.in.deep',
  'extra.the key',
  'extra.big',
  'extra.nul',
]

describe.each([
  ['strapi-4', []],
  ['strapi-5', []],
  ['strapi-4', indexed],
] as const)('%s, indexes of %s', (dialect, index) => {
  const { item, box } = config.contentTypes
  const cms = openForTests({ ...config, dialect, contentTypes: { item: { ...item, index }, box } })

  async function names(query: string): Promise<string> {
    const response = await cms().fetch(`/api/items?${query}`)
    const { data, error } = (await response.json()) as {
      data: readonly { name?: string; attributes?: { name: string } }[] | null
      error?: { message: string; status: number }
    }
    if (error !== undefined) return `${error.status} ${error.message}`
    return (data ?? []).map(({ name, attributes }) => attributes?.name ?? name).join('')
  }

  test.each([
    ['filters[extra][size]=3', 'ac'],
    ['filters[extra][size][$eq]=20', 'b'],
    ['filters[extra][size][$gt]=3', 'b'],
    ['filters[extra][size][$gte]=3', 'ab'],
    ['filters[extra][size][$lt]=10', 'a'],
    ['filters[extra][size][$between][0]=3&filters[extra][size][$between][1]=20', 'ab'],
    ['filters[extra][label][$gt]=a', 'ac'],
    ['filters[extra][label][$in][0]=a&filters[extra][label][$in][1]=ж', 'bc'],
    ['filters[extra][label][$notIn][0]=a', 'ac'],
    ['filters[extra][label][$ne]=a', 'ac'],
    ['filters[extra][label][$contains]=b', 'a'],
    ['filters[extra][label][$notContains]=b', 'bc'],
    ['filters[extra][on]=true', 'a'],
    ['filters[extra][on]=false', 'b'],
    ['sort=extra.tags.0:desc,name', 'abcdef'],
    ['filters[extra][in][deep][$gt]=1', 'a'],
    ['filters[extra][the key]=1', 'a'],
    ['filters[extra][big]=1e%2B21', 'b'],
    ['filters[extra][nothing][$null]=true&filters[name]=c', 'c'],
    ['filters[extra][size][$notNull]=true', 'abc'],
    ['filters[extra][size][$null]=true', 'def'],
    ['filters[$not][extra][size]=3', 'b'],
    ['filters[extra][size][$gt]=1&filters[extra][label]=a', 'b'],
    ['filters[box][extra][kind]=x', 'b'],
    ['filters[extra][nul][$startsWith]=a', 'c'],
    ['sort=extra.size:desc,name', 'bacdef'],
    ['sort=extra.label,name', 'defbac'],
    ['sort=extra.in.deep:desc,name', 'abcdef'],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toBe(expected)
  })

  test.each([
    ['filters[hidden][size]=1', /hidden/],
    ['sort=hidden.size', /hidden/],
    ['filters[extra][size][$eqi]=1', 'Operator $eqi does not fit a path in extra'],
    ['filters[extra][size][$like]=1', /like/],
    ['filters[extra][a"b]=1', /without quotes and backslashes/],
    ['sort=extra.a"b', /without quotes and backslashes/],
    [`filters[extra]${'[a]'.repeat(11)}=1`, /Too many names in a path of extra/],
    ['filters[name][size]=1', /size/],
    ['sort=name.size', /size/],
    ['fields[0]=name.size', /name\.size/],
    ['fields[0]=hidden.size', /hidden/],
    ['fields[0]=extra.', /without quotes and backslashes/],
    [`fields[0]=extra${'.a'.repeat(11)}`, /Too many names in a path of extra/],
    ['populate[box][fields][0]=none.size', /none/],
  ])('%s is a 400', async (query, message) => {
    const found = await names(query)
    expect(found).toMatch(/^400 /)
    if (typeof message === 'string') expect(found).toBe(`400 ${message}`)
    else expect(found).toMatch(message)
  })

  async function shown(query: string): Promise<unknown[]> {
    const response = await cms().fetch(`/api/items?sort=id&${query}`)
    const { data } = (await response.json()) as {
      data: readonly { extra?: unknown; attributes?: { extra: unknown } }[]
    }
    return data.map((entry) => (entry.attributes ?? entry).extra)
  }

  test('fields of a path show its value only', async () => {
    expect(await shown('fields[0]=extra.size&fields[1]=extra.in.deep&fields[2]=extra.1')).toEqual([
      { size: 3, in: { deep: 1.5 } },
      { size: 20, in: {} },
      { size: '3' },
      { 1: { size: 7 } },
      null,
      null,
    ])
    expect(await shown('fields[0]=extra.1.size&fields[1]=extra.tags&filters[id][$lte]=4')).toEqual([
      { tags: ['x', 'y'] },
      { tags: [] },
      {},
      { 1: { size: 7 } },
    ])
    const whole = await shown('fields[0]=extra')
    expect(await shown('fields[0]=extra.size&fields[1]=extra')).toEqual(whole)
    expect(await shown('fields[0]=extra&fields[1]=extra.size')).toEqual(whole)
    expect(await shown('fields[0]=extra.size&fields[1]=*')).toEqual(whole)
  })

  test('a comma separates paths in Strapi 5 and is refused in Strapi 4', async () => {
    const found = await names('sort=id&fields[0]=extra.size,name')
    if (dialect === 'strapi-5') expect(found).toBe('abcdef')
    else expect(found).toBe('400 Invalid parameter extra.size,name')
  })

  test('a text that is too long for an index is unequal to others, and equal to itself', async () => {
    const label = 'x'.repeat(5000)
    const { id } = await cms().entries('item').create({ name: 'z', extra: { label } })
    for (const filter of ['[$ne]=a', '[$notIn][0]=a&filters[extra][label][$ne]=b'])
      expect(await names(`filters[extra][label]${filter}&filters[name]=z`)).toBe('z')
    expect(await names('filters[$not][extra][label]=a&filters[name]=z')).toBe('z')
    expect(await names('filters[extra][label]=a&filters[name]=z')).toBe('')
    const filters = { extra: { label }, id }
    expect(await cms().entries('item').count({ filters })).toBe(1)
    await cms().entries('item').deleteMany({ id })
  })

  describe('GraphQL', () => {
    async function ask(args: string, fields: string): Promise<unknown> {
      const entry = dialect === 'strapi-4' ? `data { attributes { ${fields} } }` : fields
      const body = JSON.stringify({ query: `{ items(${args}) { ${entry} } }` })
      const headers = { 'content-type': 'application/json' }
      const response = await cms().fetch('/graphql', { method: 'POST', headers, body })
      const { data, errors } = (await response.json()) as {
        data: {
          items: readonly object[] & { readonly data: readonly { readonly attributes: object }[] }
        } | null
        errors?: readonly { readonly message: string }[]
      }
      if (errors !== undefined) return errors[0]?.message
      return data?.items.data?.map(({ attributes }) => attributes) ?? data?.items
    }

    test.each([
      ['{ path: "size", gt: 3 }', 'b'],
      ['{ path: "size", eq: 3 }', 'ac'],
      ['{ path: "in.deep", gte: 1, lt: 2 }', 'a'],
      ['{ path: "tags.1", eq: "y" }', 'a'],
      ['{ path: "label", in: ["a", "ж"] }', 'bc'],
      ['{ path: "size", null: true }', 'def'],
      ['{ path: "size", gte: 3 }, { path: "on", eq: true }', 'a'],
    ])('filters at %s', async (at, expected) => {
      const found = await ask(`filters: { extra: { at: [${at}] } }, sort: "name"`, 'name')
      expect((found as readonly { name: string }[]).map(({ name }) => name).join('')).toBe(expected)
    })

    test('sort, negation and fields', async () => {
      const fields = 'name size: extra(at: "size") tag: extra(at: "tags.0") length: extra(at: "tags.length")'
      const filters = '{ extra: { not: { at: [{ path: "label", eq: "a" }] } } }'
      expect(await ask(`filters: ${filters}, sort: "extra.size:desc"`, fields)).toEqual([
        { name: 'a', size: 3, tag: 'x', length: null },
        { name: 'c', size: '3', tag: null, length: null },
      ])
      expect(await ask('filters: { name: { eq: "d" } }', 'extra one: extra(at: "1.size")')).toEqual([
        { extra: [1, { size: 7 }], one: 7 },
      ])
    })

    test('paths that are too long or hold quotes are refused', async () => {
      const refused = 'Invalid path in extra: names have 1 to 100 characters, without quotes and backslashes'
      expect(await ask('filters: { extra: { at: [{ path: "", eq: 1 }] } }', 'name')).toBe(refused)
      expect(await ask('sort: "name"', 'extra(at: "a\\"b")')).toBe(refused)
      expect(await ask('sort: "name"', `extra(at: "a${'.a'.repeat(10)}")`)).toMatch(/^Too many names/)
    })
  })

  test('fields of a path below a relation, and in code', async () => {
    const response = await cms().fetch('/api/items?filters[name]=b&populate[box][fields][0]=extra.kind')
    expect(JSON.stringify(await response.json())).toContain('"extra":{"kind":"x"}')
    const [entry] = await cms()
      .entries('item')
      .findMany({ filters: { name: 'a' }, fields: ['name', 'extra.label'] })
    expect(entry).toMatchObject({ name: 'a' })
    expect(entry?.extra).toEqual({ label: 'b' })
  })
})
