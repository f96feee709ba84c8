// The file of a running database is removed, renamed or replaced: what was answered before is still read, nothing is
// answered that would not be found again, and everybody is told.

import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

let directory: string
let file: string
let cms: Cms
let lines: string[]

const start = (filename = file) =>
  createCms(
    {
      database: { client: 'sqlite', filename },
      contentTypes: { note: { attributes: { text: 'string' } } },
      auth: { roles: { public: { permissions: ['note.*'] } } },
    },
    { env: {}, log: (line) => lines.push(line) },
  )

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cms-run-moved-'))
  file = join(directory, 'data', 'cms.db')
  lines = []
  cms = await start()
})
afterEach(async () => {
  await cms.close()
  rmSync(directory, { recursive: true })
})

const write = (text: string): Promise<Response> =>
  cms.fetch('/api/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { text } }),
  })
const textsOf = async (from: Cms): Promise<readonly unknown[]> =>
  (await from.entries('note').findMany({})).map(({ text }) => text)

interface Row {
  readonly what: string
  readonly move: () => void
  readonly said: string
  /** Where what was answered is found afterwards; undefined where it is gone with the file. */
  readonly later: (() => string) | undefined
}

const moved = () => join(directory, 'moved.db')
const rows: readonly Row[] = [
  { what: 'removed', move: () => rmSync(file), said: 'is gone', later: undefined },
  {
    what: 'renamed',
    move: () => {
      for (const ending of ['', '-wal', '-shm']) renameSync(file + ending, moved() + ending)
    },
    said: 'is gone',
    later: moved,
  },
  {
    what: 'replaced',
    move: () => {
      copyFileSync(file, moved())
      renameSync(moved(), file)
    },
    said: 'was replaced by another file',
    later: undefined,
  },
  {
    what: 'in a directory that is renamed',
    move: () => renameSync(join(directory, 'data'), join(directory, 'elsewhere')),
    said: 'is gone',
    later: () => join(directory, 'elsewhere', 'cms.db'),
  },
  {
    what: 'without its log',
    move: () => rmSync(`${file}-wal`),
    said: 'is gone',
    later: () => file,
  },
  {
    what: 'with a log that was replaced',
    move: () => {
      copyFileSync(`${file}-wal`, `${file}-other`)
      renameSync(`${file}-other`, `${file}-wal`)
    },
    said: 'was replaced by another file',
    later: () => file,
  },
]

describe.each(rows)('a database file that is $what', ({ move, said, later }) => {
  test('takes no more writes, and what was answered stays', async () => {
    expect((await write('before')).status).toBe(200)
    move()
    for (const text of ['after', 'again']) {
      const refused = await write(text)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await refused.json()).toEqual({
        data: null,
        error: {
          status: 503,
          name: 'ServiceUnavailableError',
          message: 'The database file was removed or replaced',
          details: {},
        },
      })
    }
    await expect(cms.entries('note').create({ text: 'by a program' })).rejects.toThrow('removed or replaced')
    expect(await (await cms.fetch('/api/notes')).json()).toMatchObject({
      data: [{ attributes: { text: 'before' } }],
    })
    const ready = await cms.fetch('/_ready')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      {
        status: 'not ready',
        part: 'database',
        reason: 'the database file was removed or replaced while it was open',
      },
    ])
    expect((await cms.fetch('/_health')).status).toBe(204)
    const told = lines.filter((line) => line.includes('nothing more is written until the next start'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(said)
    await cms.close()
    if (later === undefined) return
    const found = await start(later())
    expect(await textsOf(found)).toEqual(['before'])
    await found.close()
  })

  test('is noticed without a write', async () => {
    expect((await write('before')).status).toBe(200)
    move()
    while ((await cms.fetch('/_ready')).status === 200)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(lines.join('')).toContain(said)
  })

  test('loses no write that is answered meanwhile', async () => {
    const answered: string[] = []
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; ; number++) {
        const text = `${writer} ${number}`
        const { status } = await write(text)
        if (status !== 200) return status
        answered.push(text)
      }
    })
    while (answered.length < 50) await new Promise((resolve) => setTimeout(resolve, 1))
    move()
    expect(await Promise.all(writers)).toEqual([503, 503, 503, 503])
    const seen = await textsOf(cms)
    expect(answered.filter((text) => !seen.includes(text))).toEqual([])
    await cms.close()
    if (later === undefined) return
    const found = await start(later())
    const stored = await textsOf(found)
    expect(answered.filter((text) => !stored.includes(text))).toEqual([])
    await found.close()
  })
})

test('another program that takes the path keeps its files when this one ends', async () => {
  expect((await write('ours')).status).toBe(200)
  for (const ending of ['', '-wal', '-shm', '-lock']) rmSync(file + ending)
  const other = await start()
  await other.entries('note').create({ text: 'theirs' })
  await cms.close()
  await other.entries('note').create({ text: 'theirs, too' })
  await other.close()
  const again = await start()
  expect(await textsOf(again)).toEqual(['theirs', 'theirs, too'])
  await again.close()
})
