// Types of an extension stay in the schema, also where nothing refers to them.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

test('types in SDL and of nexus that nothing refers to', async () => {
  const cms = await createCms(
    {
      plugins: { graphql: true },
      contentTypes: { note: { attributes: { text: 'string' } } },
      auth: { roles: { public: { permissions: ['note.find'] } } },
    },
    {
      register({ graphql }) {
        graphql.extension.use(({ nexus }: { nexus: typeof import('nexus') }) => ({
          typeDefs: 'type InWords { x: Int } enum Mood { GOOD BAD } input Wish { mood: Mood }',
          types: [nexus.objectType({ name: 'OfNexus', definition: (t) => t.string('x') })],
        }))
      },
    },
  )
  const answer = await cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __schema { types { name } } notes { data { id } } }' }),
  })
  const { data } = (await answer.json()) as { data: { __schema: { types: { name: string }[] } } }
  const names = data.__schema.types.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['InWords', 'Mood', 'Wish', 'OfNexus', 'NoteEntity']))
  await cms.close()
})
