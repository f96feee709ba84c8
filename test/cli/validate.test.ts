// `validate` checks data and users as a start does, and a start reports what `validate` does.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const types = `contentTypes:
  note:
    attributes:
      title: { type: string, required: true, unique: true, maxLength: 5 }
      count: { type: integer, max: 3 }
`

async function reports(text: string): Promise<readonly string[]> {
  const file = inFile(types + text)
  const { code, err } = await runCommand(['validate', file], { cwd: dirname(file) })
  expect(code).toBe(1)
  const refused = await createCms(file, { env: {} }).then(
    () => 'started',
    (error: Error) => error.message,
  )
  const placesOf = (report: string): readonly string[] =>
    [...report.matchAll(/error\[(\w+)\]: (.*)\n\s+--> [^:\n]*:(\d+:\d+)/g)].map(
      ([, found, message, place]) => `${place} ${found} ${message}`,
    )
  expect(placesOf(refused)).toEqual(placesOf(err))
  return placesOf(err)
}

test('all entries and users that cannot be stored are told at once, where they stand', async () => {
  const text = `data:
  note:
    - { title: a }
    - { title: a, count: 1 }
    - { title: toolong, count: 9 }
    - { count: 2 }
auth:
  users:
    - { username: ann, email: ann@example.com, password: Passw0rd!ann }
    - { username: bob, email: bob@example.com, password: Passw0rd!bob }
    - { username: al, email: al@example.com, password: Passw0rd!al }
`
  expect(await reports(text)).toEqual([
    '9:16 SEED001 this entry cannot be stored: This attribute must be unique',
    '10:16 SEED001 this entry cannot be stored: title must be at most 5 characters',
    '10:32 SEED001 this entry cannot be stored: count must be less than or equal to 3',
    '11:7 SEED001 this entry cannot be stored: title must be defined.',
    '16:19 SEED001 this entry cannot be stored: username must be at least 3 characters',
  ])
})

test('what is right is right, and nothing is made that the file names', async () => {
  const file = inFile(`${types}database: { client: sqlite, filename: here/content.db }
data: { note: [{ title: a }] }
`)
  const cwd = dirname(file)
  expect((await runCommand(['validate', file], { cwd })).code).toBe(0)
  expect(existsSync(join(cwd, 'here'))).toBe(false)
})

test('it shows where the content-types are served', async () => {
  const file =
    inFile(`contentTypes: { category: { name: string }, news: { title: string }, articles: { title: string } }
singleTypes: { homepage: { title: string } }
rest: { prefix: /v1 }
`)
  const cwd = dirname(file)
  const { out } = await runCommand(['validate', file], { cwd })
  expect(out).toBe(`${file} is valid\n  /v1/categories\n  /v1/news\n  /v1/articles\n  /v1/homepage\n`)
  const { out: document } = await runCommand(['validate', file, '--json'], { cwd })
  expect(JSON.parse(document).paths).toEqual({
    'api::category.category': '/v1/categories',
    'api::news.news': '/v1/news',
    'api::articles.articles': '/v1/articles',
    'api::homepage.homepage': '/v1/homepage',
  })
})
