import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskQuery } from '../../../../src/observe/requests/shown-query.ts'

test.each([
  ['populate=author', 'populate=author'],
  ['populate%5Bauthor%5D%5Bfields%5D=name', 'populate[author][fields]=name'],
  ['sort=title%3Adesc&pagination[page]=2&locale=en', 'sort=title:desc&pagination[page]=2&locale=en'],
  ['filters[email][$eq]=ann@example.com', 'filters[email][$eq]=…'],
  ['populate[author][filters][name][$eq]=Ann', 'populate[author][filters][name][$eq]=…'],
  ['populate.author.filters.name=Ann', 'populate.author.filters.name=…'],
  ['_q=ann', '_q=…'],
  ['confirmation=s3cret&code=s3cret', 'confirmation=…&code=…'],
  ['s3cret', '…'],
  ['populatex=s3cret', 'populatex=…'],
  ['populate=%1b%5b31m', 'populate=%1b[31m'],
  ['populate=%5B%zz', 'populate=[%zz'],
])('%s', (query, shown) => {
  expect(maskQuery(query)).toBe(shown)
})

test('however it is written, the value of a filter is not shown', () => {
  const secret = 'S3CRET'
  const name = fc
    .array(fc.constantFrom('filters', 'populate', 'sort', 'title', '$eq', '0', ''), { maxLength: 4 })
    .map((parts) => parts.map((part, at) => (at === 0 ? part : `[${part}]`)).join(''))
  const encoded = fc.boolean()
  fc.assert(
    fc.property(name, encoded, fc.boolean(), (inner, encodes, populates) => {
      const whole = populates ? `populate[x][filters]${inner && `[${inner}]`}` : `filters[${inner}]`
      const written = encodes ? whole.replaceAll('[', '%5b').replaceAll(']', '%5D') : whole
      expect(maskQuery(`sort=a&${written}=${secret}`)).not.toContain(secret)
    }),
  )
})

test('it is short, however long the query is', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20_000, size: 'max' }), (text) => {
      expect(maskQuery(`sort=${text}`).length).toBeLessThanOrEqual(513)
      expect(maskQuery(`${text}&`.repeat(100)).length).toBeLessThanOrEqual(513)
    }),
    { numRuns: 30 },
  )
})
