// `data` loaded again, on request: the content is what the file says, or everything stays as it was.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveFile } from '../../src/app/serve-file.ts'
import { type Cms, createCms } from '../../src/index.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function configWith(data: string, rest = ''): string {
  return `contentTypes:
  note:
    attributes:
      text: { type: string, maxLength: 20 }
      picture: { type: media }
      tags: { type: relation, relation: manyToMany, target: api::tag.tag }
      parts: { type: component, component: note.part, repeatable: true }
  tag: { attributes: { name: string } }
components:
  note.part: { attributes: { words: string } }
auth:
  users: [{ username: ana, email: ana@example.com, password: first-password }]
  roles: { public: { permissions: ['note.*', 'tag.*', plugin::upload.content-api.*] } }
${rest}
data:
${data}
`
}

const FIRST = `  tag: [{ $ref: red, name: red }]
  note:
    - { text: one, tags: [$red], picture: { file: ./a.png }, parts: [{ words: a }, { words: b }] }
    - { text: two }`

let folder: string
let file: string
let cms: Cms

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cms-run-data-'))
  file = join(folder, 'cms.yaml')
  writeFileSync(join(folder, 'a.png'), PIXEL)
  writeFileSync(file, configWith(FIRST))
  cms = await createCms(file, { env: {} })
})
afterEach(() => cms.close())

type Entry = { id: number; [name: string]: unknown }

async function notes(): Promise<readonly Entry[]> {
  const populate = { picture: { fields: ['url'] }, tags: { fields: ['name'] }, parts: '*' }
  return (await cms.entries('note').findMany({ populate })) as readonly Entry[]
}

const texts = async (): Promise<readonly unknown[]> => (await notes()).map(({ text }) => text)

async function upload(): Promise<{ id: number; url: string }> {
  const body = new FormData()
  body.append('files', new Blob([PIXEL], { type: 'image/png' }), 'later.png')
  const response = await cms.fetch('/api/upload', { method: 'POST', body })
  const [stored] = (await response.json()) as { id: number; url: string }[]
  if (stored === undefined) throw new Error('not stored')
  return stored
}

describe('asked for', () => {
  test('what was made since is gone, what is in the file is back', async () => {
    const before = await notes()
    const uploaded = await upload()
    await cms.entries('note').create({ text: 'three', picture: uploaded.id })
    await cms.entries('note').update(1, { text: 'changed', tags: [], parts: [] })
    await cms.entries('note').delete(2)
    await cms.reload({ data: true })
    const again = await notes()
    const withoutIds = (list: unknown) =>
      JSON.stringify(list, (key, value: unknown) => (key === 'id' ? undefined : value)).replaceAll(
        /"(?:created|updated)At":"[^"]+",?/g,
        '',
      )
    expect(withoutIds(again)).toBe(withoutIds(before))
    expect(again.map(({ id }) => id)).toEqual([1, 2])
    const picture = again[0]?.['picture'] as { url: string }
    expect((await cms.fetch(picture.url)).status).toBe(200)
    expect((await cms.fetch(uploaded.url)).status).toBe(404)
    expect(await cms.entries('plugin::upload.file').count()).toBe(1)
    const next = await cms.entries('note').create({ text: 'four' })
    expect(next.id).toBeGreaterThan(2)
  })

  test('an edit of data is there, users are as the file has them', async () => {
    await cms.entries('plugin::users-permissions.user').create({ username: 'eve', email: 'e@example.com' })
    writeFileSync(file, configWith('  note: [{ id: 7, text: seven }]'))
    await cms.reload({ data: true })
    expect((await notes()).map(({ id, text }) => [id, text])).toEqual([[7, 'seven']])
    expect(await cms.entries('tag').count()).toBe(0)
    const users = await cms.entries('plugin::users-permissions.user').findMany({ populate: 'role' })
    expect(users).toMatchObject([{ username: 'ana', role: { type: 'authenticated' } }])
  })

  test('new attributes and their data come together', async () => {
    const edited = configWith('  note: [{ text: one, size: 4 }]').replace(
      'picture: {',
      'size: integer\n      picture: {',
    )
    writeFileSync(file, edited)
    await cms.reload({ data: true })
    expect(await notes()).toMatchObject([{ text: 'one', size: 4 }])
  })

  test('faulty data leave everything as it was, files too, as often as they are tried', async () => {
    await cms.entries('note').create({ text: 'three' })
    const { picture } = (await notes())[0] as { picture?: { url: string } }
    writeFileSync(
      file,
      configWith(`${FIRST}\n    - { text: this is more than twenty letters, picture: { file: ./a.png } }`),
    )
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(cms.reload({ data: true })).rejects.toThrow('SEED001')
      expect(await texts()).toEqual(['one', 'two', 'three'])
      expect((await cms.fetch(picture?.url ?? '')).status).toBe(200)
    }
    writeFileSync(file, configWith(FIRST))
    await cms.reload()
    expect(await texts()).toEqual(['one', 'two', 'three'])
  })
})

test('not asked for, it is followed until somebody writes', async () => {
  writeFileSync(file, configWith('  note: [{ text: other }]'))
  await cms.reload()
  expect(await texts()).toEqual(['other'])
  await cms.entries('note').update(1, { text: 'mine' })
  writeFileSync(file, configWith(FIRST))
  await cms.reload()
  expect(await texts()).toEqual(['mine'])
})

test('not asked for, entries stay where somebody has written', async () => {
  await cms.entries('note').create({ text: 'three' })
  writeFileSync(file, configWith('  note: [{ text: other }]'))
  await cms.reload()
  expect(await texts()).toEqual(['one', 'two', 'three'])
})

describe('--reseed', () => {
  const start = (reported: string[], database = '') => {
    writeFileSync(file, configWith(FIRST, `server: { port: 0 }\n${database}`))
    return serveFile({
      file,
      check: { env: {} },
      watch: false,
      reseed: true,
      io: {
        out: () => {},
        err: () => {},
        report: (_source, diagnostics) => void reported.push(...diagnostics.map(({ code }) => code)),
        fail: (message) => void reported.push(message),
        colors: false,
        isTty: false,
      },
    })
  }

  test('an edit of data is taken, another one leaves the content alone', async () => {
    const server = await start([])
    if ('exitCode' in server) throw new Error('it did not start')
    const shown = async (): Promise<unknown> => {
      const response = await fetch(`${server.url}/api/notes?fields=text`)
      return ((await response.json()) as { data: { attributes: { text: string } }[] }).data.map(
        ({ attributes }) => attributes.text,
      )
    }
    const create = { method: 'POST', headers: { 'content-type': 'application/json' } }
    await fetch(`${server.url}/api/notes`, { ...create, body: '{"data":{"text":"three"}}' })
    writeFileSync(file, configWith(FIRST, 'server: { port: 0 }\nrest: { maxLimit: 50 }'))
    await server.reload()
    expect(await shown()).toEqual(['one', 'two', 'three'])
    writeFileSync(file, configWith('  note: [{ text: other }]', 'server: { port: 0 }'))
    await server.reload()
    expect(await shown()).toEqual(['other'])
    await server.stop()
  })

  test('where content lasts it does not start', async () => {
    const reported: string[] = []
    const server = await start(reported, 'database: { client: sqlite, filename: kept.db }')
    expect(server).toEqual({ exitCode: 1 })
    expect(reported.join('')).toContain('SEED002')
  })
})
