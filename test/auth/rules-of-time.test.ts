// Where a rule names the time, the permissions of a request are its own: no answer is kept for them, which nobody would find again.

import { afterEach, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { cacheUses } from '../../src/lib/cache-list.ts'

const opened: Cms[] = []
afterEach(async () => {
  for (const cms of opened.splice(0)) await cms.close()
})

const keptAnswers = (): number => cacheUses().find(({ name }) => name === 'answers')?.size ?? 0

async function answersKept(where: string): Promise<number> {
  const cms = await createCms(
    {
      contentTypes: {
        note: { attributes: { title: 'string', until: 'datetime' } },
        home: { kind: 'singleType', attributes: { title: 'string', until: 'datetime' } },
      },
      plugins: { graphql: true },
      auth: { roles: { public: { permissions: [{ 'note.read': { where } }, { 'home.read': { where } }] } } },
      data: {
        note: [{ id: 1, title: 'a', until: '2040-01-01T00:00:00.000Z' }],
        home: { title: 'a', until: '2040-01-01T00:00:00.000Z' },
      },
    },
    { env: {}, testing: true },
  )
  opened.push(cms)
  const before = keptAnswers()
  const headers = { 'if-none-match': '"of-another-answer"' }
  const graphql = '/graphql?query={notes{data{id}}}'
  for (const path of ['/api/notes', '/api/notes/1', '/api/home', graphql])
    for (let count = 0; count < 5; count++) {
      const response = await cms.fetch(path, { headers })
      expect([path, response.status]).toEqual([path, 200])
      await response.text()
    }
  return keptAnswers() - before
}

test('answers are kept where a rule names no time, and not where it does', async () => {
  expect(await answersKept("title == 'a'")).toBe(4)
  expect(await answersKept('until > now')).toBe(0)
})
