// What front ends ask is never too expensive: pages of 100, three levels, the usual filters and sorts, on content of any
// size. `LONG=1` asks it of 100,000 entries, which take a while to seed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'
import { hubConfig } from './hub.ts'

const ARTICLES = process.env['LONG'] === '1' ? 100_000 : 10_000

let cms: Cms
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cms-ordinary-'))
  const { data, ...config } = hubConfig(ARTICLES)
  const file = join(folder, 'entries.json')
  writeFileSync(file, JSON.stringify(data))
  cms = await createCms({ ...config, data: file })
}, 300_000)
afterAll(async () => {
  await cms.close()
  rmSync(folder, { recursive: true })
})

const PAGE = 'pagination[pageSize]=100'

test.each([
  `articles?${PAGE}`,
  `articles?${PAGE}&populate=*`,
  `articles?${PAGE}&populate[category]=*&populate[tags]=*&populate[author][populate]=friends`,
  `articles?${PAGE}&populate=author.friends.friends`,
  `articles?${PAGE}&sort=title`,
  `articles?${PAGE}&sort=rating:desc,title`,
  `articles?${PAGE}&sort=category.name`,
  `articles?${PAGE}&sort=category.name,author.name,title`,
  `articles?${PAGE}&filters[title][$contains]=99`,
  `articles?${PAGE}&filters[$or][0][title][$containsi]=99&filters[$or][1][body][$containsi]=99`,
  `articles?${PAGE}&_q=99`,
  `articles?${PAGE}&_q=99&sort=title&populate=*`,
  `articles?${PAGE}&filters[category][name][$eq]=category 3`,
  `articles?${PAGE}&filters[tags][name][$in][0]=tag 3&filters[tags][name][$in][1]=tag 4`,
  `articles?${PAGE}&filters[author][friends][name][$contains]=3`,
  `articles?${PAGE}&filters[category][articles][title][$eq]=title 3`,
  `articles?${PAGE}&filters[category][name][$eq]=category 3&filters[author][name][$contains]=3&sort=title:desc&populate=category,tags,author`,
  `articles?${PAGE}&filters[tags][name][$eq]=tag 3&filters[category][name][$eq]=category 2&filters[title][$containsi]=1&filters[rating][$gt]=2&sort=rating:desc,title&populate=*`,
  `categories?${PAGE}&populate[articles][limit]=10`,
  `categories?${PAGE}&populate[articles][limit]=100&populate[articles][sort]=title`,
  `categories?${PAGE}&populate[articles][limit]=100&populate[articles][populate]=*`,
  `categories?${PAGE}&sort=articles.title`,
  `tags?${PAGE}&populate[articles][limit]=5&populate[articles][populate]=author`,
  `tags?${PAGE}&populate[articles][limit]=100&populate[articles][populate]=category`,
  `authors?${PAGE}&populate[articles][limit]=100&populate[articles][populate]=tags`,
  `authors?${PAGE}&populate=friends.friends.friends`,
  `authors?${PAGE}&filters[articles][title][$contains]=3`,
])('GET /api/%s', async (query) => {
  const answer = await cms.fetch(`/api/${query}`)
  expect(answer.status, (await answer.text()).slice(0, 500)).toBe(200)
})

test.each([
  'articles(pagination: { pageSize: 100 }, sort: "title") { data { id attributes { title category { data { attributes { name } } } tags { data { attributes { name } } } author { data { attributes { name friends { data { attributes { name } } } } } } } } meta { pagination { total } } }',
  'categories(pagination: { pageSize: 100 }) { data { attributes { name articles(pagination: { pageSize: 10 }, sort: "title") { data { attributes { title author { data { attributes { name } } } } } } } } }',
  'tags(pagination: { pageSize: 100 }) { data { attributes { name articles { data { attributes { title author { data { attributes { name } } } } } } } } }',
  'authors(pagination: { pageSize: 100 }) { data { attributes { name articles(pagination: { limit: 100 }) { data { attributes { title tags { data { attributes { name } } } } } } } } }',
  'articles(filters: { title: { containsi: "9" }, category: { name: { eq: "category 1" } } }, pagination: { pageSize: 100 }, sort: "rating:desc") { data { attributes { title } } meta { pagination { total } } }',
])('{ %s }', async (query) => {
  const answer = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${query} }` }),
  })
  const { errors } = (await answer.json()) as { errors?: unknown }
  expect([answer.status, errors]).toEqual([200, undefined])
})
