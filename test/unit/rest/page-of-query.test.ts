// The page of a query string, and what is left of it.

import { expect, test } from 'vitest'
import { pageOfQuery } from '../../../src/rest/page-of-query.ts'

test.each([
  ['pagination[start]=3', '', { kind: 'offset', start: 3 }],
  ['sort=a&pagination[start]=3&fields=b', 'sort=a&fields=b', { kind: 'offset', start: 3 }],
  ['pagination[start]=3&sort=a', '&sort=a', { kind: 'offset', start: 3 }],
  ['pagination[start]=3&pagination[limit]=5', '', { kind: 'offset', start: 3, limit: 5 }],
  ['pagination%5Bpage%5D=2&pagination%5bpageSize%5d=10', '', { kind: 'page', page: 2, pageSize: 10 }],
  ['pagination[page]=0', '', { kind: 'page', page: 0 }],
  [
    'pagination[page]=2&pagination[withCount]=false',
    '&pagination[withCount]=false',
    { kind: 'page', page: 2 },
  ],
] as const)('%s', (query, rest, pagination) => {
  expect(pageOfQuery(query)).toEqual({ rest, pagination })
})

test.each([
  ['no page', 'sort=a'],
  ['another parameter', 'filters[pagination]=1'],
  ['both kinds', 'pagination[start]=3&pagination[page]=1'],
  ['one twice', 'pagination[start]=3&pagination[start]=3'],
  ['no number', 'pagination[start]=x'],
  ['a sign', 'pagination[limit]=-1'],
  ['nothing', 'pagination[limit]='],
  ['a size of nothing', 'pagination[pageSize]=0'],
  ['a number too large to be exact', 'pagination[start]=9999999999999999'],
  ['letters that are encoded', 'pagin%61tion[start]=1'],
  ['a cursor', 'pagination[after]=1'],
  ['too long', `pagination[start]=1&${'a&'.repeat(500)}`],
])('%s: it is understood as a whole', (_name, query) => {
  expect(pageOfQuery(query)).toBeUndefined()
})
