// Policies on one side, where code may guard the other: known when the schema is made.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import type { UserCms } from '../../src/user-code/user-cms.ts'

const config = {
  plugins: { graphql: true },
  contentTypes: {
    memo: {
      attributes: { text: 'string' },
      rest: { config: { find: { policies: ['known'] }, delete: { policies: ['known'] } } },
    },
  },
  policies: { known: { cel: 'state.user != null' } },
  auth: { roles: { public: { permissions: ['memo.*'] } } },
}

const rows: { title: string; register?: (cms: UserCms) => void; open: readonly string[] }[] = [
  { title: 'without code', open: ['Query.memos', 'Mutation.deleteMemo'] },
  { title: 'code that guards nothing', register: () => {}, open: ['Query.memos', 'Mutation.deleteMemo'] },
  {
    title: 'an object that guards one, and a type without mutations',
    register({ graphql: { extension } }) {
      extension.use({ resolversConfig: { 'Query.memos': { policies: ['known'] } } })
      extension.shadowCRUD('memo').disableMutations()
    },
    open: [],
  },
  {
    title: 'a function that guards one',
    register: ({ graphql: { extension } }) =>
      extension.use(() => ({ resolversConfig: { 'Mutation.deleteMemo': { policies: ['known'] } } })),
    open: ['Query.memos'],
  },
  {
    title: 'code that guards what REST serves openly',
    register: ({ graphql: { extension } }) =>
      extension.use({
        resolversConfig: Object.fromEntries(
          ['Query.memos', 'Query.memo', 'Mutation.deleteMemo'].map((field) => [
            field,
            { policies: ['known'] },
          ]),
        ),
      }),
    open: ['Query.memo'],
  },
]

test.each(rows)('$title', async ({ register, open }) => {
  const lines: string[] = []
  const hooks = register === undefined ? {} : { register }
  await using cms = await createCms(config, { env: {}, log: (line) => lines.push(line), ...hooks })
  const warned = lines.join('').matchAll(/GraphQL's (\w+\.\w+) (?:is open|only)/g)
  expect([...warned].map(([, field]) => field)).toEqual(open)
  expect(cms).toBeDefined()
})
