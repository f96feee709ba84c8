// An answer that would hold too much is refused before it is whole, through every API.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../../src/index.ts'

const TAGS = 320
const NOTES = 320

let cms: Cms

beforeAll(async () => {
  const ids = Array.from({ length: TAGS }, (_, index) => index + 1)
  cms = await createCms({
    rest: { maxLimit: null, limits: { cost: 10_000_000 } },
    plugins: { graphql: { enabled: true, config: { amountLimit: 1000 } } },
    contentTypes: {
      note: { attributes: { tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' } } },
      tag: { attributes: { name: 'string' } },
    },
    auth: { roles: { public: { permissions: ['*.find'] } } },
    data: {
      tag: ids.map((id) => ({ id, name: `t${id}` })),
      note: Array.from({ length: NOTES }, () => ({ tags: ids })),
    },
  })
})
afterAll(() => cms.close())

const MESSAGE = 'Too many entries and components in one response: at most 100000 are allowed'

test('over REST', async () => {
  const all = `/api/notes?populate=tags&pagination[limit]=${NOTES}`
  const refused = await cms.fetch(all)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { name: 'ValidationError', message: MESSAGE } })
  expect((await cms.fetch('/api/notes?populate=tags&pagination[limit]=300')).status).toBe(200)
})

test('over GraphQL', async () => {
  const ask = async (...limits: readonly number[]): Promise<unknown> => {
    const fields = limits.map(
      (limit) =>
        `l${limit}: notes(pagination: { limit: ${limit} }) { data { attributes { tags(pagination: { limit: ${TAGS} }) { data { id } } } } }`,
    )
    const query = `{ ${fields.join(' ')} }`
    const answer = await cms.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { errors } = (await answer.json()) as { errors?: readonly { readonly message: string }[] }
    return errors?.map(({ message }) => message)
  }
  expect(await ask(NOTES)).toEqual([MESSAGE])
  expect(await ask(300)).toBeUndefined()
  // All fields of an operation are one answer.
  expect(await ask(150, 149)).toBeUndefined()
  expect(await ask(200, 199)).toEqual([MESSAGE])
})
