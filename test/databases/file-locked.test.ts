// Another program keeps the file of a database locked: writes wait, then are refused over HTTP; reads go on.

import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'
import { makeTestFile } from '../support/sqlite-copy.ts'

test('a write is refused with 503 and a moment to try again, and made once the file is free', async () => {
  const { filename, remove } = await makeTestFile()
  const lines: string[] = []
  const cms = await createCms(
    {
      database: { client: 'sqlite', filename },
      contentTypes: { note: { attributes: { text: 'string' } } },
      auth: { roles: { public: { permissions: ['note.*'] } } },
    },
    { env: {}, log: (line) => lines.push(line) },
  )
  const { url } = await cms.listen(0, '127.0.0.1')
  const write = (): Promise<Response> =>
    fetch(`${url}/api/notes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"data":{"text":"waited"}}',
    })
  const other = (await loadLibsql()).open(filename)
  other.exec('begin immediate')
  const writing = [write(), write()]
  expect((await fetch(`${url}/api/notes`)).status).toBe(200)
  for (const response of await Promise.all(writing)) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toEqual({
      data: null,
      error: {
        status: 503,
        name: 'ServiceUnavailableError',
        message: 'The database is busy',
        details: {},
      },
    })
  }
  expect(lines.filter((line) => line.includes('writes are refused: The database is busy'))).toHaveLength(1)
  other.exec('rollback')
  expect((await write()).status).toBe(200)
  other.close()
  await cms.close()
  await remove()
})
