// `cms-run record` of a server that answers without end: it asks a bounded number of times, and keeps what it read.

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

type Answer = (page: number) => unknown

const entry = (id: number, more: object = {}) => ({ id, attributes: { title: `Entry ${id}`, ...more } })
const paged = (data: readonly unknown[], pageCount: number) => ({ data, meta: { pagination: { pageCount } } })
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)

async function recorded(answer: Answer) {
  let asked = 0
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname !== '/api/notes') return void response.writeHead(404).end('{}')
    asked += 1
    const body = answer(Number(searchParams.get('pagination[page]') ?? 0))
    // Texts are sent as they are: serializing deep values fails, too.
    if (body === undefined) response.writeHead(500).end()
    else response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const cwd = newFolder()
  writeFileSync(join(cwd, 'list.txt'), '/api/notes?first\n')
  const { port } = server.address() as AddressInfo
  const { code, err } = await runCommand(['record', 'list.txt', '--from', `http://127.0.0.1:${port}`], {
    cwd,
  })
  const { data } = parse(readFileSync(join(cwd, 'recorded/cms.yaml'), 'utf8'))
  const [notes = []] = Object.values(data ?? {}) as (readonly { title: string }[])[]
  return { asked, code, err, titles: notes.map(({ title }) => title) }
}

const MORE = '/api/notes has more entries than are recorded'

test('pages for ever', async () => {
  const { asked, code, err, titles } = await recorded((page) => paged([entry(page + 1)], 1e9))
  expect(code, err).toBe(0)
  expect([asked, titles.length]).toEqual([101, 101])
  expect(err).toContain('10 entries of /api/notes are read')
  expect(err).toContain(MORE)
})

test('the same page for ever', async () => {
  const { asked, err, titles } = await recorded(() => paged([entry(1)], 1e9))
  expect([asked, titles]).toEqual([3, ['Entry 1']])
  expect(err).toContain(MORE)
})

test('pages without an entry', async () => {
  const { asked } = await recorded(() => paged([{}, 1, null], 1e9))
  expect(asked).toBe(2)
})

test('300,000 entries on a page', async () => {
  const all = Array.from({ length: 300_000 }, (_, index) => entry(index + 1))
  const { code, err, titles } = await recorded((page) => paged(page === 0 ? [entry(1)] : all, 1))
  expect(code, err).toBe(0)
  expect(titles.length).toBe(2000)
  expect(err).toContain(MORE)
})

test('values that are nested too deeply are left out, and the rest is kept', async () => {
  const deep = `{"data":[{"id":2,"attributes":{"title":"deep","more":${'['.repeat(100_000)}${']'.repeat(100_000)}}},{"id":1,"attributes":{"title":"Entry 1"}}],"meta":{"pagination":{"pageCount":1}}}`
  const { code, err, titles } = await recorded(() => deep)
  expect(code, err).toBe(0)
  expect(titles).toEqual(['Entry 1'])
  expect(err).toContain('1 request is left out: larger or nested more deeply than is recorded')
  const kept = await recorded(() => paged([entry(1, { more: nested(20) })], 1))
  expect([kept.code, kept.titles]).toEqual([0, ['Entry 1']])
})

test('a page that fails ends the reading, and what was read is kept', async () => {
  const { code, err, titles } = await recorded((page) => (page > 2 ? undefined : paged([entry(page + 1)], 9)))
  expect(code, err).toBe(0)
  expect(titles).toEqual(['Entry 2', 'Entry 3', 'Entry 1'])
  expect(err).toContain(MORE)
})

test('values that cannot be made texts', async () => {
  const odd = { toString: 1, valueOf: 1 }
  const { code, err } = await recorded(() =>
    paged([{ id: 1, documentId: 'a', locale: odd, title: 'Entry 1' }], 1),
  )
  expect(code, err).toBe(0)
})
