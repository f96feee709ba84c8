// Questions become the query strings that qs makes of them with the options of Strapi's documentation.

import fc from 'fast-check'
import { stringify } from 'qs'
import { expect, test } from 'vitest'
import { queryText } from '../../src/client/query-text.ts'
import { parseQueryString } from '../../src/rest/query-string.ts'

const key = fc.stringMatching(/^[$_a-zA-Z][\w.-]{0,8}$/)
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('a b', "it's (1)!*", 'é&=?#%', 'x+y', 'a[b]'),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
  fc.date({ noInvalidDate: true }),
)
const { question } = fc.letrec<{ node: unknown; question: object }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    value,
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(key, tie('node'), { maxKeys: 3 }),
  ),
  question: fc.dictionary(key, tie('node'), { maxKeys: 4 }),
}))

test('as qs writes them', () => {
  fc.assert(
    fc.property(question, (query) => {
      expect(queryText(query)).toBe(stringify(query, { encodeValuesOnly: true }))
    }),
    { numRuns: 2000 },
  )
})

test('as Strapi 4 documents them', () => {
  const query = {
    filters: {
      $or: [{ date: { $eq: '2020-01-01' } }, { date: { $eq: '2020-01-02' } }],
      title: { $contains: 'a & b' },
    },
    sort: ['title:asc'],
    pagination: { page: 1, pageSize: 10 },
    populate: { author: { fields: ['name'] }, cover: true },
    publicationState: 'live',
    locale: undefined,
  }
  expect(queryText(query)).toBe(
    'filters[$or][0][date][$eq]=2020-01-01&filters[$or][1][date][$eq]=2020-01-02&filters[title][$contains]=a%20%26%20b&sort[0]=title%3Aasc&pagination[page]=1&pagination[pageSize]=10&populate[author][fields][0]=name&populate[cover]=true&publicationState=live',
  )
  expect(parseQueryString(queryText(query))).toMatchObject({
    filters: { $or: [{ date: { $eq: '2020-01-01' } }, {}], title: { $contains: 'a & b' } },
    sort: ['title:asc'],
  })
})
