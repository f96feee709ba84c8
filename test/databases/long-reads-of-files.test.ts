// A file that is large: a list that looks at every entry holds up nobody, and ends when it takes too long.

import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'
import { makeTestFile } from '../support/sqlite-copy.ts'

const ENTRIES = 20_000
const SCAN = '/api/articles?filters[body][$contains]=9999%20&pagination[withCount]=false'

let filename: string
let remove: () => Promise<void>
let cms: Cms

async function open(statementTimeout: string): Promise<Cms> {
  cms = await createCms(
    {
      database: { client: 'sqlite', filename, statementTimeout },
      contentTypes: { article: { attributes: { title: 'string', body: 'text' } } },
      rest: { cache: 0, limits: { scanWarning: null } },
      auth: { roles: { public: { permissions: ['article.find', 'article.findOne'] } } },
    },
    { env: {} },
  )
  return cms
}

beforeAll(async () => {
  ;({ filename, remove } = await makeTestFile())
  await (await open('10s')).close()
  const database = (await loadLibsql()).open(filename)
  database.exec(
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ENTRIES})
insert into articles (id, title, body, created_at, updated_at)
select i, 'Article ' || i, i || ' ' || hex(randomblob(600)), 1700000000000 + i, 1700000000000 + i from n`,
  )
  database.close()
})
afterEach(() => cms.close())
afterAll(() => remove())

test('one entry is read while a list looks at all of them', async () => {
  await open('60s')
  let over = false
  const scans = Promise.all(Array.from({ length: 5 }, () => cms.fetch(SCAN))).finally(() => {
    over = true
  })
  let answered = 0
  while (!over) {
    const response = await cms.fetch('/api/articles/7')
    expect(response.status).toBe(200)
    if (!over) answered += 1
    await setImmediate()
  }
  expect(answered).toBeGreaterThan(0)
  for (const scan of await scans) {
    const { data } = (await scan.json()) as { data: readonly { id: number }[] }
    expect(data.map(({ id }) => id)).toEqual([9999, 19_999])
  }
})

test('a list that takes longer than the limit of a statement is a 503', async () => {
  await open('1ms')
  // Many times as long as a busy machine suspends a process for.
  const conditions = Array.from(
    { length: 10 },
    (_, index) => `&filters[$or][${index}][body][$contains]=none${index}`,
  )
  const response = await cms.fetch(`/api/articles?pagination[withCount]=false${conditions.join('')}`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await response.json()).toMatchObject({ error: { message: 'The query took longer than 1 ms' } })
  expect((await cms.fetch('/api/articles/7')).status).toBe(200)
})
