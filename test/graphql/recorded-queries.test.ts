// Every recorded query, asked until it is compiled: the last answer is the first one. The first comes from graphql-js.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCompiler } from '../../src/plugins/graphql/execution/load-compiler.ts'
import { authorizationOf } from '../conformance/credentials.ts'
import { type RecordedCase, readGroups } from '../conformance/recorded-case.ts'
import { openRecordedCms, type RecordedCms } from '../conformance/recorded-cms.ts'

const areas = [
  ...['graphql-query', 'graphql-pagination', 'graphql-filters', 'graphql-sort', 'graphql-i18n-dp'],
  ...['graphql-nested', 'graphql-protocol'],
]
/** More than a document of this many fields needs before it is compiled. */
const TIMES = 8

let recordedCms: RecordedCms
beforeAll(async () => {
  recordedCms = await openRecordedCms(undefined)
  await loadCompiler()
})
afterAll(() => recordedCms.close())

function queriesOf(area: string): readonly RecordedCase[] {
  return [...readGroups(area).values()].flat().filter(({ request }) => {
    const { query } = (request.body ?? {}) as { readonly query?: unknown }
    return request.method === 'POST' && typeof query === 'string' && !query.includes('mutation')
  })
}

async function ask({ request }: RecordedCase): Promise<unknown> {
  const { cms, secrets } = recordedCms
  const { authorization } = request.headers
  const response = await cms.fetch(
    new Request(`http://localhost${request.path}`, {
      method: 'POST',
      headers: {
        ...request.headers,
        ...(authorization === undefined
          ? {}
          : { authorization: await authorizationOf(authorization, secrets) }),
      },
      body: JSON.stringify(request.body),
    }),
  )
  return { status: response.status, body: withoutStacks(await response.text()) }
}

function withoutStacks(text: string): unknown {
  if (!text.startsWith('{')) return text
  return JSON.parse(text, (key, value: unknown) => (key === 'exception' ? undefined : value))
}

test.each(areas)('%s', async (area) => {
  const queries = queriesOf(area)
  expect(queries.length).toBeGreaterThan(5)
  for (const one of queries) {
    const first = await ask(one)
    for (let count = 2; count < TIMES; count++) await ask(one)
    expect({ id: one.id, answer: await ask(one) }).toEqual({ id: one.id, answer: first })
  }
})
