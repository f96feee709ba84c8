// A list that is read again after writes asks for ids alone and takes the entries that have not changed from its last reading.

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { oneOf, randomOf, whole } from '../differential/rule-worlds.ts'
import { type Ask, asking } from '../support/callers.ts'
import { recorded } from '../support/record-statements.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

vi.mock('../../src/databases/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

const TOKENS = { low: 'low-token-of-the-test', some: 'some-token-of-the-test' }
const config = (cache: number | string) => ({
  rest: { cache },
  contentTypes: {
    tag: {
      attributes: {
        name: { type: 'string', unique: true },
        mark: { type: 'string', computed: '"#" + name' },
      },
    },
    note: {
      options: { draftAndPublish: true },
      attributes: {
        title: 'string',
        rank: 'integer',
        tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
      },
    },
  },
  auth: {
    roles: { public: { permissions: ['note.*', 'tag.*'] } },
    apiTokens: [
      {
        name: 'low',
        type: 'custom',
        token: TOKENS.low,
        permissions: [{ 'note.read': { where: 'rank < 4' } }, 'tag.read'],
      },
      {
        name: 'some',
        type: 'custom',
        token: TOKENS.some,
        permissions: [{ 'note.read': { fields: ['title'] } }, 'tag.read'],
      },
    ],
  },
  data: {
    tag: [1, 2].map((id) => ({ id, name: `tag ${id}` })),
    note: [1, 2, 3, 4, 5, 6].map((id) => ({ id, title: `note ${id}`, rank: id, tag: 1 + (id % 2) })),
  },
})

const PLAIN = '/api/notes?fields[0]=title&fields[1]=rank&pagination[limit]=3&sort=rank'

describe.each(['memory', 'sqlite'] as const)('%s', (client) => {
  let cms: Cms
  let plain: Cms
  let send: Ask
  let sendPlain: Ask
  let texts: string[]
  const databases: TestDatabase[] = []
  let afterUpdate: (() => Promise<void>) | undefined

  beforeAll(async () => {
    vi.useFakeTimers({ now: new Date('2026-05-01'), toFake: ['Date'] })
    const open = async (cache: number | string) => {
      const database = await openTestDatabase(client)
      databases.push(database)
      const lifecycles = { note: { afterUpdate: () => (cache === 0 ? undefined : afterUpdate?.()) } }
      return createCms(config(cache), { env: {}, ...database.options, lifecycles })
    }
    cms = await open('1mb')
    texts = recorded.at(-1) ?? []
    plain = await open(0)
    send = asking(cms, TOKENS)
    sendPlain = asking(plain, TOKENS)
  })
  afterAll(async () => {
    await cms.close()
    await plain.close()
    for (const database of databases) await database.drop()
    vi.useRealTimers()
  })
  beforeEach(() => {
    texts.length = 0
  })

  const titles = async (path = PLAIN): Promise<unknown> => {
    const { json } = await send('', 'GET', path)
    expect(json).not.toHaveProperty('error')
    return (json as { data: { attributes: { title: string } }[] }).data.map(
      ({ attributes }) => attributes.title,
    )
  }
  /** Changes both, so that they have the same content. */
  async function change(method: string, path: string, data?: object): Promise<void> {
    const body = data === undefined ? undefined : { data }
    const [one, other] = await Promise.all([send, sendPlain].map((each) => each('', method, path, body)))
    expect(one?.json).toEqual(other?.json)
  }
  /** How often the columns of a list were read. */
  const readings = () => texts.filter((text) => /^select .*`title`.* order by/.test(text)).length
  /** Reads a list until its entries are kept; each write before it ends the kept answer. */
  async function warm(path = PLAIN): Promise<void> {
    for (let time = 0; time < 4; time++) {
      await change('PUT', '/api/notes/6', { title: `note 6 ${time}` })
      await titles(path)
    }
    texts.length = 0
  }

  test('a write to another entry leaves the columns unread', async () => {
    await warm()
    await change('PUT', '/api/notes/6', { title: 'changed' })
    expect([await titles(), readings()]).toEqual([['note 1', 'note 2', 'note 3'], 0])
  })

  test('what has changed is read anew: its values, its order, and which entries there are', async () => {
    await warm()
    await change('PUT', '/api/notes/2', { title: 'second' })
    expect([await titles(), readings()]).toEqual([['note 1', 'second', 'note 3'], 1])
    await change('PUT', '/api/notes/2', { title: 'note 2', rank: 9 })
    expect(await titles()).toEqual(['note 1', 'note 3', 'note 4'])
    await change('PUT', '/api/notes/2', { rank: 2 })
    expect(await titles()).toEqual(['note 1', 'note 2', 'note 3'])
  })

  test('within a transaction its own writes are shown; undone, they are not', async () => {
    await warm()
    const seen: unknown[] = []
    afterUpdate = async () => {
      seen.push(await titles())
      throw new Error('undone')
    }
    const { status } = await send('', 'PUT', '/api/notes/1', { data: { title: 'first' } })
    afterUpdate = undefined
    expect(status).toBeGreaterThanOrEqual(400)
    expect([seen, await titles()]).toEqual([[['first', 'note 2', 'note 3']], ['note 1', 'note 2', 'note 3']])
  })

  test('whatever is written, each list is that of a server that keeps nothing', async () => {
    const random = randomOf(17)
    const queries = [
      '',
      '?sort=rank:desc&pagination[limit]=3',
      '?filters[tag][name]=b',
      '?filters[rank][$gt]=2&fields=title',
      '?publicationState=preview',
      '?populate=tag',
    ]
    const questions = [
      ...['', 'low', 'some'].flatMap((who) => queries.map((query) => [who, `/api/notes${query}`] as const)),
      ['', '/api/tags?filters[name]=a'] as const,
      ['', '/api/tags?sort=name'] as const,
    ]
    const id = () => 1 + whole(random, 6)
    texts.length = 0
    for (let round = 0; round < 60; round++) {
      vi.setSystemTime(Date.now() + 1)
      const [method, path, data] = oneOf(random, [
        ['PUT', `notes/${id()}`, { title: `title ${round}` }],
        ['PUT', `notes/${id()}`, { rank: whole(random, 6), tag: 1 + whole(random, 2) }],
        ['PUT', `notes/${id()}`, { publishedAt: oneOf(random, [null, '2026-01-01T00:00:00.000Z']) }],
        ['PUT', `tags/${1 + whole(random, 2)}`, { name: oneOf(random, ['a', 'b']) }],
        ['POST', 'notes', { title: `new ${round}`, rank: whole(random, 6) }],
        ['DELETE', `notes/${6 + whole(random, 9)}`, undefined],
      ] as const)
      await change(method, `/api/${path}`, data)
      for (const [who, question] of questions) {
        const [one, other] = await Promise.all([send, sendPlain].map((each) => each(who, 'GET', question)))
        expect([round, who, question, one?.json]).toEqual([round, who, question, other?.json])
      }
    }
    const ids = texts.filter((text) => /^select `\w+`\.`id` from `notes`/.test(text)).length
    expect(ids).toBeGreaterThan(100)
  })
})
