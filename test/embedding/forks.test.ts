// Instances that begin as copies: `fork`, and `createCms` of what was opened before. None sees what another does.

import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cms, type CmsOptions, createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'
import { PNG } from '../upload/open-library.ts'

const everything = ['article.*', 'plugin::upload.content-api.*', 'plugin::users-permissions.auth.*']

/** Each test has a configuration of its own, so that it begins with one that was not opened before. */
let count = 0
function configOf(more: Readonly<Record<string, unknown>> = {}) {
  count += 1
  return {
    server: { port: 2000 + count },
    contentTypes: { article: { attributes: { title: 'string', day: 'date', cover: 'media' } } },
    plugins: {
      email: true,
      graphql: true,
      upload: true,
      'users-permissions': { config: { ratelimit: { enabled: true, interval: 3_600_000, max: 2 } } },
    },
    auth: {
      roles: { public: { permissions: everything }, authenticated: { permissions: everything } },
      users: [{ username: 'ann', email: 'ann@example.com', password: 'correct horse', confirmed: true }],
    },
    data: { article: [{ title: 'first' }] },
    ...more,
  }
}

const opened: Cms[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const cms of opened.splice(0)) await cms.close()
})

async function open(source: Parameters<typeof createCms>[0], options: CmsOptions = {}): Promise<Cms> {
  const cms = await createCms(source, { env: {}, testing: true, ...options })
  opened.push(cms)
  return cms
}

async function forkOf(cms: Cms): Promise<Cms> {
  const fork = await cms.fork()
  opened.push(fork)
  return fork
}

function json(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

const titles = async (cms: Cms): Promise<readonly unknown[]> =>
  (await cms.entries('article').findMany({ sort: 'id' })).map(({ title }) => title)

/** Everything that one instance could see of another. */
async function stateOf(cms: Cms): Promise<unknown> {
  return {
    rest: await (await cms.fetch('/api/articles')).json(),
    graphql: await cms.graphql('{ articles { data { id attributes { title } } } }'),
    files: await (await cms.fetch('/api/upload/files')).json(),
    outbox: [...cms.outbox],
    login: (await cms.fetch('/api/auth/local', json({ identifier: 'x', password: 'wrong' }))).status,
  }
}

async function changeEverything(cms: Cms): Promise<void> {
  const form = new FormData()
  form.append('files', new Blob([PNG], { type: 'image/png' }), 'cover.png')
  expect((await cms.fetch('/api/upload', { method: 'POST', body: form })).status).toBe(200)
  await cms.fetch('/api/auth/forgot-password', json({ email: 'ann@example.com' }))
  await expect.poll(() => cms.outbox.length).toBe(1)
  await cms.fetch('/api/articles', json({ data: { title: 'more' } }))
  await cms.entries('article').update(1, { title: 'changed' })
  for (let time = 0; time < 3; time++)
    await cms.fetch('/api/auth/local', json({ identifier: 'x', password: 'wrong' }))
  cms.advance('400d')
}

describe('nothing is shared', () => {
  test('by instances of one file', async () => {
    const config = configOf()
    const first = await open(config, { clock: () => new Date('2030-05-01') })
    const before = await stateOf(first)
    await changeEverything(first)
    const second = await open(config, { clock: () => new Date('2030-05-01') })
    expect(await stateOf(second)).toEqual(before)
    await changeEverything(second)
    const third = await open(config, { clock: () => new Date('2030-05-01') })
    expect(await stateOf(third)).toEqual(before)
    expect(await titles(first)).toEqual(['changed', 'more'])
  })

  test('by an instance and its forks', async () => {
    const cms = await open(configOf())
    const fork = await forkOf(cms)
    const other = await forkOf(cms)
    const before = await stateOf(fork)
    await changeEverything(cms)
    const ofFork = await forkOf(fork)
    expect(await titles(ofFork)).toEqual(['first'])
    await changeEverything(ofFork)
    expect(await stateOf(other)).toEqual(before)
    expect((await forkOf(cms)).outbox).toEqual(cms.outbox)
    expect(await titles(await forkOf(cms))).toEqual(['changed', 'more'])
  })

  test('a fork is as open as the one it was made from', async () => {
    const cms = await open(configOf())
    const fork = await forkOf(cms)
    await cms.close()
    expect(await titles(fork)).toEqual(['first'])
    const { url } = await fork.listen(0, '127.0.0.1')
    expect((await fetch(`${url}/api/articles`)).status).toBe(200)
    await fork.reload({ data: true })
    expect(await titles(fork)).toEqual(['first'])
  })

  test('code is loaded again for a fork, and its bootstrap runs', async () => {
    const file = inFile(
      'contentTypes: { article: { attributes: { title: string } } }\nextensions: ./state.js\nrest: { cache: 0 }\n' +
        'routes: [{ method: GET, path: /count, handler: ./state.js#count, auth: false }]\n',
    )
    writeFileSync(
      join(dirname(file), 'state.js'),
      'let times = 0\nexport const count = (ctx) => { ctx.body = { times: (times += 1) } }\n' +
        "export default { async bootstrap(cms) { await cms.entries('article').create({ title: 'booted' }) } }\n",
    )
    const counted = async (cms: Cms) => (await cms.fetch('/api/count')).json()
    const cms = await open(file)
    expect([await counted(cms), await counted(cms)]).toEqual([{ times: 1 }, { times: 2 }])
    const fork = await forkOf(cms)
    expect(await counted(fork)).toEqual({ times: 1 })
    expect(await counted(await open(file))).toEqual({ times: 1 })
    expect(await titles(fork)).toEqual(['booted', 'booted'])
    expect(await titles(cms)).toEqual(['booted'])
  })
})

describe('what is opened again is what a first start would be', () => {
  test('after an edit of the file, of its data, of its variables', async () => {
    const text = (title: string) =>
      `contentTypes: { article: { attributes: { title: string } }, note: { attributes: { text: string } } }\n` +
      `data: { article: [{ title: ${title} }], note: ./notes.json }\n`
    const file = inFile(text('one'))
    const notes = join(dirname(file), 'notes.json')
    writeFileSync(notes, '[{ "text": "a" }]')
    const seen = async (options: CmsOptions = {}) => {
      const cms = await open(file, options)
      const texts = (await cms.entries('note').findMany({})).map(({ text }) => text)
      return [...(await titles(cms)), ...texts]
    }
    expect([await seen(), await seen()]).toEqual([
      ['one', 'a'],
      ['one', 'a'],
    ])
    writeFileSync(file, text('two'))
    expect(await seen()).toEqual(['two', 'a'])
    writeFileSync(notes, '[{ "text": "b" }]')
    expect(await seen()).toEqual(['two', 'b'])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the file
    writeFileSync(file, text('"${TITLE:-three}"'))
    expect(await seen()).toEqual(['three', 'b'])
    expect(await seen({ env: { TITLE: 'four' } })).toEqual(['four', 'b'])
    writeFileSync(join(dirname(file), '.env'), 'TITLE=five\n')
    expect(await seen()).toEqual(['five', 'b'])
    writeFileSync(file, 'contentTypes: 3\n')
    await expect(seen()).rejects.toThrow('contentTypes')
  })

  test('entries have the time of their own start', async () => {
    const config = configOf()
    const createdAt = async (options: CmsOptions) => {
      const cms = await open(config, options)
      return (await cms.entries('article').findOne(1))?.createdAt
    }
    for (const moment of ['2030-01-01T00:00:00.000Z', '2031-02-03T04:05:06.789Z'])
      expect(await createdAt({ clock: () => new Date(moment) })).toBe(moment)
    const before = new Date().toISOString()
    const own = String(await createdAt({}))
    expect(own >= before && own <= new Date().toISOString()).toBe(true)
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2029-01-01') })
    expect(await createdAt({})).toBe('2029-01-01T00:00:00.000Z')
  })

  test('data relative to the start are those of this start', async () => {
    const config = configOf({ data: { article: [{ title: 'first', day: 'today+7d' }] } })
    const day = async (moment: string) => {
      const cms = await open(config, { clock: () => new Date(moment) })
      return (await cms.entries('article').findOne(1))?.['day']
    }
    expect([await day('2030-01-01'), await day('2030-01-01'), await day('2031-01-01')]).toEqual([
      '2030-01-08',
      '2030-01-08',
      '2031-01-08',
    ])
  })

  test('many at once', async () => {
    const config = configOf()
    const all = await Promise.all(Array.from({ length: 12 }, () => open(config)))
    await Promise.all(all.map((cms, index) => cms.entries('article').create({ title: `of ${index}` })))
    for (const [index, cms] of all.entries()) expect(await titles(cms)).toEqual(['first', `of ${index}`])
  })
})

test('a fork needs a database in memory', async () => {
  const file = inFile('contentTypes: { article: { attributes: { title: string } } }\n')
  const cms = await open(file, { database: { client: 'sqlite', filename: 'cms.db' } })
  await expect(cms.fork()).rejects.toThrow('memory database only')
})
