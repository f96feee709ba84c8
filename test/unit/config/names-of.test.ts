import { expect, test } from 'vitest'
import { getPlural, listTypeNames } from '../../../src/config/names-of.ts'

test.each([
  ['restaurant', 'restaurants'],
  ['category', 'categories'],
  ['day', 'days'],
  ['guy', 'guys'],
  ['dish', 'dishes'],
  ['branch', 'branches'],
  ['box', 'boxes'],
  ['address', 'addresses'],
  ['quiz', 'quizzes'],
  ['hero', 'heroes'],
  ['person', 'people'],
  ['guest-person', 'guest-people'],
  ['child', 'children'],
  ['lens', 'lenses'],
  ['canvas', 'canvases'],
  ['articles', 'articles'],
  ['news', 'news'],
  ['daily-special', 'daily-specials'],
  ['opening-day', 'opening-days'],
  ['y', 'ys'],
  ['x-y', 'x-ys'],
  ['top10', 'top10s'],
])('%s -> %s', (name, plural) => {
  expect(getPlural(name)).toBe(plural)
})

test.each([
  ['article', 'article', 'articles'],
  ['articles', 'article', 'articles'],
  ['opening-hours', 'opening-hour', 'opening-hours'],
  ['people', 'person', 'people'],
  ['address', 'address', 'addresses'],
  ['status', 'status', 'statuses'],
  ['lens', 'lens', 'lenses'],
  ['news', 'news-item', 'news'],
  ['breaking-news', 'breaking-news-item', 'breaking-news'],
  ['series', 'series-item', 'series'],
  ['cms', 'cms-item', 'cms'],
])('%s: %s, %s', (name, singularName, pluralName) => {
  expect(listTypeNames(name, {})).toEqual({ singularName, pluralName })
})

test.each<[name: string, given: Parameters<typeof listTypeNames>[1], singular: string, plural: string]>([
  ['settings', { kind: 'singleType' }, 'settings', 'settings-items'],
  ['homepage', { kind: 'singleType' }, 'homepage', 'homepages'],
  ['articles', { info: { singularName: 'articles' } }, 'articles', 'articles-items'],
  ['news', { info: { pluralName: 'news' } }, 'news', 'news'],
  ['articles', { info: { pluralName: 'articleses' } }, 'articles', 'articleses'],
  ['news', { info: { singularName: 'news', pluralName: 'newses' } }, 'news', 'newses'],
  ['person', { info: { pluralName: 'persons' } }, 'person', 'persons'],
  ['article', { info: { pluralName: 'article' } }, 'article', 'article'],
])('%s with %o: %s, %s', (name, given, singularName, pluralName) => {
  expect(listTypeNames(name, given)).toEqual({ singularName, pluralName })
})
