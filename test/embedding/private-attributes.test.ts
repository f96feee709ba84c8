// Code of one's own reads, filters and sorts by private attributes; what it answers or copies does not show them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const seen: unknown[] = []

function configOf(dialect: string) {
  return {
    dialect,
    contentTypes: {
      product: {
        attributes: {
          name: 'string',
          secret: { type: 'string', private: true },
          pin: { type: 'password' },
          maker: { type: 'relation', relation: 'manyToOne', target: 'api::maker.maker', private: true },
          part: { type: 'component', component: 'default.part' },
        },
      },
      maker: { attributes: { name: 'string', code: { type: 'string', private: true } } },
    },
    components: {
      'default.part': { attributes: { text: 'string', hidden: { type: 'string', private: true } } },
    },
    plugins: { graphql: true },
    auth: { roles: { public: { permissions: ['product.*', 'maker.*'] } } },
    data: {
      maker: [{ id: 1, name: 'Ann', code: 'c1' }],
      product: [
        { id: 1, name: 'a', secret: 's2', pin: 'hush-hush-1', maker: 1, part: { text: 't', hidden: 'h' } },
        { id: 2, name: 'b', secret: 's1', pin: 'hush-hush-2' },
      ],
    },
  }
}

describe.each(['strapi-4', 'strapi-5'])('%s', (dialect) => {
  let cms: Cms

  beforeAll(async () => {
    cms = await createCms(configOf(dialect) as never, {
      env: {},
      lifecycles: {
        product: { afterCreate: ({ result }: { result?: unknown }) => void seen.push(result) },
      },
    })
  })

  afterAll(() => cms.close())

  const products = () => cms.entries('product')
  const names = (found: readonly object[]) => found.map((entry) => (entry as { name: string }).name)

  test('filters, sorts and counts by them', async () => {
    expect(names(await products().findMany({ filters: { secret: 's1' } }))).toEqual(['b'])
    expect(names(await products().findMany({ sort: 'secret' }))).toEqual(['b', 'a'])
    expect(names(await products().findMany({ filters: { maker: { code: 'c1' } } }))).toEqual(['a'])
    expect(names(await products().findMany({ filters: { part: { hidden: 'h' } } }))).toEqual(['a'])
    expect(names(await products().findMany({ sort: 'maker.code:desc' }))).toEqual(['a', 'b'])
    expect(await products().count({ filters: { secret: { $in: ['s1', 's2'] } } })).toBe(2)
    expect(await products().count({ filters: { pin: 'hush-hush-1' } })).toBe(0)
  })

  test('reads them by name, and lists those that it asks for', async () => {
    const [first] = await products().findMany({ populate: '*' })
    expect(first).toMatchObject({ secret: 's2', maker: { name: 'Ann', code: 'c1' }, part: { hidden: 'h' } })
    expect(first).not.toHaveProperty('pin')
    const [asked] = await products().findMany({ fields: ['secret'], populate: ['maker'] })
    expect(JSON.parse(JSON.stringify(asked))).toMatchObject({ secret: 's2', maker: { name: 'Ann' } })
    expect(await products().findOne(1, { fields: ['*', 'secret'] })).toEqual(
      expect.objectContaining({ name: 'a', secret: 's2' }),
    )
  })

  test('answers and copies leave them out', async () => {
    const everything = await products().findMany({ populate: '*' })
    const text = JSON.stringify([everything, { ...everything[0] }, structuredClone(everything)])
    expect(text).not.toMatch(/s2|hush|\$2|c1|"h"|maker|hidden/)
    expect(text).toContain('"text":"t"')
  })

  test('what is written is answered with them, and hooks are given them', async () => {
    const made = await products().create({ name: 'c', secret: 's3' })
    expect(made['secret']).toBe('s3')
    expect(Object.keys(made)).not.toContain('secret')
    expect(seen.at(-1)).toMatchObject({ name: 'c', secret: 's3' })
    const changed = await products().update(made.id, { secret: 's4' })
    expect(changed['secret']).toBe('s4')
    const gone = await products().delete(made.id)
    expect(gone['secret']).toBe('s4')
  })

  test('clients name them in vain', async () => {
    for (const query of [
      'filters[secret]=s1',
      'sort=secret',
      'fields=secret',
      'filters[maker][code]=c1',
      'filters[maker][name]=Ann',
      'filters[part][hidden]=h',
      'sort=maker.name',
    ])
      expect((await cms.fetch(`/api/products?${query}`)).status, query).toBe(400)
    const answer = await cms.fetch('/api/products?populate=*')
    expect(await answer.text()).not.toMatch(/s1|s2|c1|hidden|secret|maker/)
    const found = await cms.fetch('/api/products?_q=s1')
    expect(((await found.json()) as { data: unknown[] }).data).toEqual([])
    const query = '{ products(filters: { secret: { eq: "s1" } }) { __typename } }'
    const headers = { 'content-type': 'application/json' }
    const asked = await cms.fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) })
    expect(asked.status).toBe(400)
  })
})
