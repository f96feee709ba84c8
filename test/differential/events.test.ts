// Events under random rules: whoever listens is told of an entry what a read shows it at that moment, and that an entry is
// gone only if it could read it before. What is there for whom is evaluated in memory over the whole content.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import type { Model } from '../../src/model/model.ts'
import { type Listening, listenTo, type SentEvent } from '../events/event-source.ts'
import { type Ask, asking, signedToken } from '../support/callers.ts'
import { modelOf } from '../support/model-of.ts'
import { openTestDatabase, type TestDatabase, testClient } from '../support/test-database.ts'
import { compiled, docsOf, type Entry, holds, usersOf } from './rule-oracle.ts'
import { oneOf, type Random, randomOf, SECRET, USERS, whole, worldOf } from './rule-worlds.ts'

const long = process.env['LONG'] === '1'
// Over a database a world takes several times as long: the wide search is that in memory.
const LONG_WORLDS = testClient() === 'memory' ? 40 : 8
const WORLDS = long ? LONG_WORLDS : 3
const WRITES = long ? 60 : 20
const waiting = { timeout: 60_000, interval: 5 }

/** API tokens, with what they may read. */
const TOKENS = [
  { name: 'open', where: 'open' },
  { name: 'counted', where: 'count > 1 || main.open' },
] as const
const CALLERS = ['', ...USERS, ...TOKENS.map(({ name }) => name)]

const DIALECTS = ['strapi-4', 'strapi-5'] as const
const worlds = DIALECTS.flatMap((dialect) =>
  Array.from({ length: WORLDS }, (_, index) => [dialect, index + 1] as const),
)

describe.each(worlds)('%s, world %i', (dialect, seed) => {
  const random = randomOf(seed)
  const world = worldOf(random)
  const config = { ...world.config, dialect, events: true, auth: withTokens(world.config['auth'] as Auth) }
  let cms: Cms
  let database: TestDatabase
  let send: Ask
  let model: Model
  const secrets = new Map<number, unknown>()
  const receivers = new Map<string, Listening>()

  beforeAll(async () => {
    database = await openTestDatabase()
    cms = await createCms(config, { env: {}, ...database.options })
    const signed = USERS.map(async (name, index) => [name, await signedToken(SECRET, index + 1)] as const)
    const tokens: Record<string, string> = Object.fromEntries(await Promise.all(signed))
    for (const { name } of TOKENS) tokens[name] = tokenOf(name)
    send = asking(cms, tokens)
    model = await modelOf(config)
    for (const { id, secret } of (world.config['data'] as { doc: readonly Entry[] }).doc)
      secrets.set(id, secret)
    for (const who of CALLERS) {
      const headers: Record<string, string> = who === '' ? {} : { authorization: `Bearer ${tokens[who]}` }
      receivers.set(who, await listenTo(cms.fetch, '/api/_events?types=doc,team', headers))
    }
  })
  afterAll(async () => {
    for (const receiver of receivers.values()) await receiver.stop()
    await cms.close()
    await database.drop()
  })

  function rulesOf(who: string): readonly string[] {
    const token = TOKENS.find(({ name }) => name === who)
    return token === undefined ? (world.rules[world.roleOf[who] ?? 'public'] ?? []) : [token.where]
  }

  /** By caller: the documents that are there. */
  async function thereNow(): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
    const docs = (await docsOf(cms)).map((doc) => ({ ...doc, secret: secrets.get(doc.id) ?? null }))
    const users = await usersOf(cms)
    return new Map(
      CALLERS.map((who) => {
        const me = users.find(({ username }) => username === who) ?? null
        const variables = { me, role: world.roleOf[who] ?? 'public', now: Date.now() }
        const rules = rulesOf(who).map((text) => compiled(model, text, 'where'))
        const seen = docs.filter((entry) => rules.some((rule) => holds(rule, { entry, variables })))
        return [who, new Set(seen.map(({ id }) => id))]
      }),
    )
  }

  async function addressOf(id: number): Promise<unknown> {
    return dialect === 'strapi-4' ? id : (await cms.entries('doc').findOne(id))?.['documentId']
  }

  /** Writes something, as somebody; the id of the document. */
  async function write(): Promise<number | undefined> {
    const docs = cms.entries('doc')
    const ids = [...secrets.keys()]
    const kind = random()
    if (ids.length === 0 || kind < 0.15) {
      const data = dataOf(random, ids)
      const { id } = (await docs.create(data)) as { id: number }
      secrets.set(id, data['secret'])
      return id
    }
    const id = oneOf(random, ids)
    if (kind < 0.25) {
      await docs.delete(id)
      secrets.delete(id)
      return id
    }
    const data = dataOf(random, ids, 0.25)
    const who = oneOf(random, CALLERS)
    if (kind < 0.6) {
      const { secret: _, ...visible } = data
      const { status } = await send(who, 'PUT', `/api/docs/${await addressOf(id)}`, { data: visible })
      return status === 200 ? id : undefined
    }
    await docs.update(id, data)
    if ('secret' in data) secrets.set(id, data['secret'])
    return id
  }

  test(`${WRITES} writes`, async () => {
    for (let number = 1; number <= WRITES; number++) {
      const before = await thereNow()
      const places = new Map([...receivers].map(([who, { events }]) => [who, events.length]))
      const id = await write()
      // Everybody may read teams, so everybody is told of this, after what was told before it.
      await cms.entries('team').update(1, { name: `after ${number}` })
      const after = await thereNow()
      for (const [who, { events }] of receivers) {
        const marker = (): SentEvent | undefined => events.slice(places.get(who)).find(isOfTeam)
        await vi.waitFor(() => expect(marker()).toBeDefined(), waiting)
        const told = events.slice(places.get(who)).filter((event) => !isOfTeam(event))
        const was = id !== undefined && before.get(who)?.has(id) === true
        const is = id !== undefined && after.get(who)?.has(id) === true
        const about = { seed, number, who, id, rules: rulesOf(who) }
        const gone = was && !is
        // Private values are not kept with events, so nobody knows who could read the entry before.
        const unsure = gone && rulesOf(who).some((rule) => rule.includes('secret'))
        if (!(unsure && told.length === 0))
          expect({ ...about, told: told.map(shortly) }).toEqual({
            ...about,
            told: was || is ? [is ? `shown ${id}` : `gone ${id}`] : [],
          })
        expect(JSON.stringify(told)).not.toMatch(/secret|"s[12]"/)
        if (!is) continue
        const { json } = await send(who, 'GET', `/api/docs?filters[id]=${id}`)
        expect({ ...about, entry: told[0]?.data['entry'] }).toEqual({
          ...about,
          entry: (json as { data: unknown[] }).data[0],
        })
      }
    }
  })
})

interface Auth {
  readonly roles: unknown
}

function withTokens(auth: Auth): Readonly<Record<string, unknown>> {
  const apiTokens = TOKENS.map(({ name, where }) => ({
    name,
    token: tokenOf(name),
    type: 'custom',
    permissions: [{ 'doc.read': { where } }, 'team.read'],
  }))
  return { ...auth, apiTokens }
}

function tokenOf(name: string): string {
  return `a token of the test called ${name}`.replaceAll(' ', '-')
}

function isOfTeam({ data }: SentEvent): boolean {
  return data['type'] === 'team'
}

function shortly({ data }: SentEvent): string {
  return `${data['entry'] === null ? 'gone' : 'shown'} ${data['id']}`
}

/** Values for some attributes of a document, each with the probability. */
function dataOf(random: Random, ids: readonly number[], probability = 0.7): Record<string, unknown> {
  const maybe = <T>(value: T): T | null => (random() < 0.3 ? null : value)
  const user = (): number => 1 + whole(random, 3)
  const doc = (): number | null => (ids.length === 0 ? null : oneOf(random, ids))
  const all: Readonly<Record<string, () => unknown>> = {
    title: () => maybe(oneOf(random, ['a', 'b', 'ab', 'ж'])),
    secret: () => maybe(oneOf(random, ['s1', 's2'])),
    count: () => maybe(whole(random, 5) - 1),
    price: () => maybe(oneOf(random, [0, 0.5, 1, 2, 3])),
    big: () => maybe(oneOf(random, ['1', '2'])),
    open: () => maybe(random() < 0.5),
    mood: () => maybe(oneOf(random, ['glad', 'sad'])),
    at: () => maybe(oneOf(random, ['2024-01-01T00:00:00.000Z', '2099-01-01T00:00:00.000Z'])),
    day: () => maybe(oneOf(random, ['2024-01-01', '2024-01-02', '2099-01-01'])),
    author: () => maybe(user()),
    team: () => maybe(1 + whole(random, 2)),
    members: () => [1, 2, 3].filter(() => random() < 0.4),
    related: () => ids.filter(() => random() < 0.3),
    main: () => maybe(doc()),
    box: () => maybe({ label: 'a', size: whole(random, 4), owner: maybe(user()) }),
    boxes: () => [{ label: 'b', size: whole(random, 4), owner: maybe(user()) }].filter(() => random() < 0.6),
  }
  const chosen = Object.entries(all).filter(() => random() < probability)
  const [first] = Object.entries(all)
  const some = chosen.length === 0 && first !== undefined ? [first] : chosen
  return Object.fromEntries(some.map(([name, value]) => [name, value()]))
}
