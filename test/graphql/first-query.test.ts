// The schema is built when it is asked for: by the first question of any kind, for each instance its own, and at start where
// only building it shows what is wrong.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { newFolder } from '../archive/in-file.ts'

const config = {
  plugins: { graphql: true },
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: { roles: { public: { permissions: ['note.*'] } } },
  data: { note: [{ text: 'first' }] },
}
const query = '{ notes { data { attributes { text } } } }'
const answerOf = (...texts: string[]) => ({
  data: { notes: { data: texts.map((text) => ({ attributes: { text } })) } },
})

test('several first questions at once, and instances with content of their own', async () => {
  await using one = await createCms(config, { env: {} })
  await using other = await createCms(config, { env: {} })
  await other.entries('note').create({ text: 'second' })
  const asked = await Promise.all([one.graphql(query), one.graphql(query), other.graphql(query)])
  expect(asked).toEqual([answerOf('first'), answerOf('first'), answerOf('first', 'second')])
  await one.entries('note').create({ text: 'third' })
  expect([await one.graphql(query), await other.graphql(query)]).toEqual([
    answerOf('first', 'third'),
    answerOf('first', 'second'),
  ])
})

test('introspection may be the first question', async () => {
  await using cms = await createCms(config, { env: {} })
  const answer = await cms.graphql('{ __type(name: "NoteInput") { kind } }')
  expect(answer).toEqual({ data: { __type: { kind: 'INPUT_OBJECT' } } })
})

test('what is wrong with an extension is found at start', async () => {
  const file = join(newFolder(), 'cms.json')
  const wrong = { extensions: [{ typeDefs: 'extend type Query { wrong: Missing }' }] }
  writeFileSync(file, JSON.stringify({ ...config, graphql: wrong }))
  await expect(createCms(file, { env: {} })).rejects.toThrow('these types cannot be added')
})
