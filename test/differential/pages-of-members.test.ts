// Pages of members, cut by us where they are few and by the database where they are many: the same either way.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { MAX_UNPAGED_ROWS } from '../../src/plan/read-plan.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

let cms: Cms
let database: TestDatabase

/** Beyond what is tried without numbering. */
const PARTS = 150
const WHOLES = Math.ceil(MAX_UNPAGED_ROWS / PARTS) + 2

beforeAll(async () => {
  database = await openTestDatabase()
  const ids = Array.from({ length: PARTS }, (_, index) => index + 1)
  cms = await createCms(
    {
      contentTypes: {
        whole: {
          attributes: { parts: { type: 'relation', relation: 'manyToMany', target: 'api::part.part' } },
        },
        part: { attributes: { rank: 'integer' } },
      },
      auth: { roles: { public: { permissions: ['*.find'] } } },
      data: {
        part: ids.map((id) => ({ id, rank: (id * 7) % 13 })),
        // Each shows another order of another number of parts.
        whole: Array.from({ length: WHOLES }, (_, index) => ({
          parts: ids
            .slice(0, PARTS - index)
            .sort((a, b) => ((a * (index + 3)) % 151) - ((b * (index + 3)) % 151)),
        })),
      },
    },
    database.options,
  )
})
afterAll(async () => {
  await cms.close()
  await database.drop()
})

interface Shown {
  readonly data: readonly {
    readonly attributes: { readonly parts: { readonly data: readonly { readonly id: number }[] } }
  }[]
}

async function partsOf(query: string): Promise<readonly (readonly number[])[]> {
  const answer = await cms.fetch(`/api/wholes?${query}`)
  const { data } = (await answer.json()) as Shown
  return data.map(({ attributes }) => attributes.parts.data.map(({ id }) => id))
}

test.each([
  ['in their stored order', ''],
  ['sorted', '&populate[parts][sort]=rank:desc'],
  ['filtered', '&populate[parts][filters][rank][$gt]=3'],
])('%s', async (_name, more) => {
  const everything = await partsOf(`populate[parts][fields]=id${more}`)
  for (const [start, limit] of [
    [0, 1],
    [0, 10],
    [5, 10],
    [140, 20],
    [149, 1],
    [200, 5],
  ] as const) {
    const page = `populate[parts][start]=${start}&populate[parts][limit]=${limit}${more}`
    const expected = everything.map((parts) => parts.slice(start, start + limit))
    // All parents have more members than are tried; one alone has few.
    expect(await partsOf(page)).toEqual(expected)
    expect(await partsOf(`${page}&pagination[limit]=1&pagination[start]=2`)).toEqual(expected.slice(2, 3))
  }
})
