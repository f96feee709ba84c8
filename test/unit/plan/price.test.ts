// What questions cost: by their parts, and by how much content there is.

import { expect, test } from 'vitest'
import { everyPermission } from '../../../src/access/principal.ts'
import { buildModel } from '../../../src/model/build-model.ts'
import type { Params } from '../../../src/plan/params.ts'
import { planFind } from '../../../src/plan/plan-read.ts'
import { getPrice, isFree } from '../../../src/plan/price.ts'
import { enablePlugins, getModelParts } from '../../../src/plugins/plugin-host.ts'
import { configOf } from '../model/config-of.ts'

function relation(kind: string, target: string, side: Readonly<Record<string, string>>) {
  return { type: 'relation', relation: kind, target: `api::${target}.${target}`, ...side }
}

const config = configOf({
  contentTypes: {
    article: {
      attributes: {
        title: { type: 'string' },
        slug: { type: 'string', unique: true },
        category: relation('manyToOne', 'category', { inversedBy: 'articles' }),
      },
    },
    category: {
      attributes: {
        name: { type: 'string' },
        articles: relation('oneToMany', 'article', { mappedBy: 'category' }),
      },
    },
  },
})
const outcome = buildModel(config, getModelParts(enablePlugins(config)))
if (!outcome.ok) throw new Error(JSON.stringify(outcome.diagnostics))
const article = outcome.value.contentTypes.get('api::article.article' as never)
if (article === undefined) throw new Error('no article')

/** 1,000 articles in 10 categories, 900 of them in one. */
const statistics = {
  getRows: ({ uid }: { readonly uid: string }) => (uid === 'api::article.article' ? 1000 : 10),
  getFanOut: ({ name }: { readonly name: string }) =>
    name === 'articles' ? { links: 1000, most: 900 } : { links: 1000, most: 1 },
}

function priceFor(params: Params, withCount = false) {
  if (article === undefined) throw new Error('no article')
  const limits = { defaultLimit: 10, maxLimit: 100, withCount }
  const { plan, values } = planFind(article, params, everyPermission, limits)
  return { ...getPrice(plan, values, withCount, statistics), free: isFree(plan, values) }
}

const page = (limit: number, more: object = {}) =>
  new Map([['category', { populate: new Map([['articles', { limit, ...more }]]) }]])

test.each<[string, Params, number, string]>([
  ['a condition on a value', { filters: { title: 'a' } }, 80, 'filters title $eq'],
  [
    'two alike are one part',
    { filters: { $or: [{ title: 'a' }, { title: 'b' }] } },
    160,
    'filters title $eq',
  ],
  ['a search in text', { filters: { title: { $contains: 'a' } } }, 500, 'filters title $contains'],
  ['without regard to case', { filters: { title: { $containsi: 'a' } } }, 850, 'filters title $containsi'],
  [
    'a unique value looks at one row',
    { filters: { slug: 'a', title: { $contains: 'b' } } },
    1,
    'filters title $contains',
  ],
  [
    'a list of ids at as many',
    { filters: { id: { $in: [1, 2, 3] }, title: { $contains: 'b' } } },
    2,
    'filters title $contains',
  ],
  ['through a relation', { filters: { category: { name: 'a' } } }, 660, 'filters category.name $eq'],
  [
    'there and back',
    { filters: { category: { articles: { title: 'a' } } } },
    1240,
    'filters category.articles.title $eq',
  ],
  ['a sort', { sort: [{ path: ['title'], descending: false }] }, 300, 'sort title'],
  [
    'a sort through a relation',
    { sort: [{ path: ['category', 'name'], descending: false }] },
    2800,
    'sort category.name',
  ],
  [
    'a sort through one to many',
    { sort: [{ path: ['category', 'articles', 'title'], descending: true }] },
    5300,
    'sort category.articles.title',
  ],
  ['what is shown is counted, not priced', { populate: new Map([['category', {}]]) }, 0, ''],
  ['a page of each parent', { populate: page(5) }, 100, 'populate category.articles'],
  [
    'pages of all parents at once',
    { populate: page(5, { filters: { category: { name: 'a' } } }) },
    2660,
    'populate category.articles',
  ],
])('%s', (_name, params, total, part) => {
  const price = priceFor(params)
  expect({ total: price.total, part: price.dearest.part }).toEqual({ total, part })
})

test('conditions cost twice where the total is asked for', () => {
  expect(priceFor({ filters: { title: 'a' } }, true).total).toBe(160)
})

test('a list in the order of ids is free', () => {
  expect(priceFor({})).toMatchObject({ total: 0, free: true })
  expect(priceFor({ filters: { title: 'a' } }).free).toBe(false)
  expect(priceFor({ filters: { id: 1 } }).free).toBe(true)
  // One entry, but a whole relation is followed for it.
  expect(priceFor({ filters: { id: 1, category: { articles: { title: 'a' } } } }).free).toBe(false)
})

test('the largest type is told', () => {
  expect(priceFor({ populate: new Map([['category', {}]]) }).largest).toBe(1000)
})

test.each<[string, Params, number]>([
  [
    'a list, without its total',
    { filters: { title: 'a' }, sort: [{ path: ['title'], descending: false }] },
    380,
  ],
  [
    'the members of one level',
    { populate: page(5, { sort: [{ path: ['title'], descending: false }] }) },
    300,
  ],
])('the most expensive statement: %s', (_name, params, statement) => {
  expect(priceFor(params, true)).toMatchObject({ statement })
})
