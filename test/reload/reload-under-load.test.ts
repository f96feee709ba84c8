// The file is edited, broken and mended while requests run: nobody notices but by the answers.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { startLoad } from '../support/start-load.ts'

const BROKEN = 'contentTypes:\n  note:\n    attributes: { text: strin }\n'

function configWith(attributes: string, extra = ''): string {
  return `contentTypes:
  note:
    attributes: { text: string${attributes} }
auth: { roles: { public: { permissions: ['note.*'] } } }
data:
  note: [{ text: one }, { text: two }]
${extra}`
}

let file: string
let cms: Cms
let url: string
let log: string[]

beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'cms-run-reload-')), 'cms.yaml')
  writeFileSync(file, configWith(''))
  log = []
  cms = await createCms(file, { watch: true, env: {}, log: (line) => void log.push(line) })
  ;({ url } = await cms.listen(0, '127.0.0.1'))
})
afterEach(() => cms.close())

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await wait(2)
}

const answers = (target: string, status: number) => async (): Promise<boolean> => {
  const response = await fetch(`${url}${target}`)
  await response.arrayBuffer()
  return response.status === status
}

test('100 edits under load: no request fails, no connection is dropped, every edit is seen', async () => {
  const load = startLoad(`${url}/api/notes`, 16)
  for (let edit = 1; edit <= 100; edit++) {
    writeFileSync(file, configWith(`, field${edit}: string`))
    await until(answers(`/api/notes?fields=field${edit}`, 200))
    if (edit > 1) expect(await answers(`/api/notes?fields=field${edit - 1}`, 400)()).toBe(true)
  }
  const result = await load.stop()
  expect(result.faults).toEqual([])
  expect(result.failed).toBe(0)
  expect(result.dropped).toBe(0)
  expect(result.requests).toBeGreaterThan(500)
})

test('broken edits leave the last good one serving, and the next good one is taken', async () => {
  const load = startLoad(`${url}/api/notes?fields=text`, 8)
  for (let edit = 1; edit <= 10; edit++) {
    const reports = log.length
    writeFileSync(file, `${BROKEN}# ${edit}\n`)
    await until(() => log.length > reports)
    expect(log.at(-1)).toContain('unknown attribute type')
    expect(log.at(-1)).toContain('did you mean')
    expect(await answers('/api/notes', 200)()).toBe(true)
    writeFileSync(file, configWith(`, mended${edit}: string`))
    await until(answers(`/api/notes?fields=mended${edit}`, 200))
  }
  const result = await load.stop()
  expect(result.faults).toEqual([])
  expect(result.failed).toBe(0)
})

test('a request that began before an edit ends by the rules it began with', async () => {
  const encoder = new TextEncoder()
  const { body, release } = heldBody(encoder.encode('{"data":{"text":"late"}}'))
  const late = fetch(`${url}/api/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    duplex: 'half',
  } as RequestInit)
  await wait(50)
  writeFileSync(file, configWith(', other: string').replace("'note.*'", 'note.find'))
  await until(answers('/api/notes?fields=other', 200))
  release()
  const response = await late
  expect(response.status).toBe(200)
  await response.arrayBuffer()
  expect(await answers('/api/notes/1', 403)()).toBe(true)
})

/** A body whose second half waits. */
function heldBody(bytes: Uint8Array): { body: ReadableStream<Uint8Array>; release: () => void } {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 5))
      await released
      controller.enqueue(bytes.slice(5))
      controller.close()
    },
  })
  return { body, release }
}

describe('content across edits', () => {
  async function edit(text: string): Promise<void> {
    writeFileSync(file, text)
    await cms.reload()
  }
  const notes = async (query = ''): Promise<Record<string, unknown>[]> => {
    const response = await cms.fetch(`/api/notes${query}`)
    expect(response.status).toBe(200)
    const { data } = (await response.json()) as { data: { attributes: Record<string, unknown> }[] }
    return data.map(({ attributes }) => attributes)
  }

  test('stays when attributes and types are added and removed, and comes back with them', async () => {
    await cms.entries('note').create({ text: 'three' })
    await edit(configWith(', rank: integer'))
    expect((await notes()).map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    await cms.entries('note').update(1, { rank: 7 })
    await edit(configWith(''))
    expect(await notes()).not.toContainEqual(expect.objectContaining({ rank: 7 }))
    await edit(configWith(', rank: integer'))
    expect((await notes('?filters[id]=1'))[0]).toMatchObject({ rank: 7 })
    expect(await notes()).toHaveLength(3)
  })

  test('converts when every value does, and the edit is refused when one does not', async () => {
    await edit(configWith(', code: string'))
    await cms.entries('note').update(1, { code: '12' })
    await edit(configWith(', code: integer'))
    expect((await notes('?filters[code]=12'))[0]).toMatchObject({ code: 12 })
    await edit(configWith(', code: string'))
    await cms.entries('note').update(2, { code: 'twelve' })
    await expect(edit(configWith(', code: integer'))).rejects.toThrow(/note[\s\S]*code/)
    expect((await notes('?filters[id]=2'))[0]).toMatchObject({ code: 'twelve' })
  })

  test('stays published when a type gets drafts', async () => {
    await edit(
      configWith('').replace('    attributes', '    options: { draftAndPublish: true }\n    attributes'),
    )
    expect(await notes()).toHaveLength(2)
  })

  test('a type that is added gets its entries', async () => {
    const text = configWith('')
      .replace('contentTypes:', 'contentTypes:\n  tag: { attributes: { name: string } }')
      .replace("'note.*'", "'note.*', 'tag.*'")
    await edit(`${text}  tag: [{ name: new }]\n`)
    const response = await cms.fetch('/api/tags')
    expect(await response.json()).toMatchObject({ data: [{ id: 1, attributes: { name: 'new' } }] })
  })
})

describe('an edit that opens something', () => {
  const secret = (flags: string): string =>
    configWith('').replace('text: string', `text: string, code: { type: string${flags} }`)

  test('is said in the log', async () => {
    writeFileSync(file, secret(', private: true'))
    await cms.reload()
    writeFileSync(file, secret(''))
    await cms.reload()
    expect(log.join('')).toContain('SECURITY-WIDENING: api::note.note.code is no longer private')
  })

  test('waits in production for a second identical reading', async () => {
    const production = (text: string): string => `server: { environment: production }\n${text}`
    const other = join(mkdtempSync(join(tmpdir(), 'cms-run-hold-')), 'cms.yaml')
    writeFileSync(other, production(secret(', private: true')))
    const held = await createCms(other, { env: {} })
    const shown = async (): Promise<boolean> => (await held.fetch('/api/notes?fields=code')).status === 200
    expect(await shown()).toBe(false)
    writeFileSync(other, production(secret('')))
    await held.reload()
    expect(await shown()).toBe(false)
    await held.reload()
    expect(await shown()).toBe(true)
    await held.close()
  })
})
