// A real replica: what is read while it is behind, and what is left when the primary is killed under load and the
// replica takes its place behind the same address. LOUD=1 prints what was counted.

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import {
  findPostgresPrograms,
  type PostgresClusters,
  startPostgresClusters,
} from '../support/postgres-clusters.ts'
import { type ServerProxy, startServerProxy } from '../support/server-proxy.ts'

const programs = findPostgresPrograms()
const waiting = { timeout: 60_000, interval: 10 }
const json = { 'content-type': 'application/json' }

const config = {
  events: true,
  plugins: { 'users-permissions': { config: { jwtSecret: '0123456789abcdef0123456789abcdef' } } },
  components: { 'note.line': { attributes: { text: 'string' } } },
  contentTypes: {
    note: {
      attributes: {
        code: { type: 'string', unique: true },
        lines: { type: 'component', component: 'note.line', repeatable: true },
      },
    },
  },
  auth: {
    roles: {
      public: { permissions: ['note.*'] },
      authenticated: { permissions: ['plugin::users-permissions.user.me', 'note.*'] },
    },
    users: [
      { username: 'ada', email: 'ada@example.com', password: 'Tower-of-9-words', role: 'authenticated' },
    ],
  },
}

const open: Cms[] = []
async function start(
  connection: string,
  replicas: readonly string[],
  statementTimeout = 10_000,
): Promise<Cms> {
  const cms = await createCms(config, {
    env: {},
    database: { client: 'postgres', connection, replicas: [...replicas], statementTimeout },
  })
  open.push(cms)
  return cms
}

const create = (cms: Cms, code: string) =>
  cms.fetch('/api/notes', {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ data: { code, lines: [{ text: 'one' }, { text: 'two' }] } }),
  })

async function readTotal(cms: Cms): Promise<number> {
  const response = await cms.fetch('/api/notes?pagination[pageSize]=1')
  const { meta } = (await response.json()) as { meta: { pagination: { total: number } } }
  return meta.pagination.total
}

let clusters: PostgresClusters
const proxies: ServerProxy[] = []
async function startProxy(server: string): Promise<ServerProxy> {
  const proxy = await startServerProxy(server)
  proxies.push(proxy)
  return proxy
}
afterEach(async () => {
  for (const cms of open.splice(0)) await cms.close()
  for (const proxy of proxies.splice(0)) await proxy.close()
  await clusters.close()
})

describe.skipIf(programs === undefined)('a replica that is behind', () => {
  let primary: ServerProxy
  let cms: Cms

  beforeEach(async () => {
    clusters = await startPostgresClusters(programs ?? '', { synchronous: false })
    primary = await startProxy(clusters.primary)
    cms = await start(primary.url, [clusters.replica])
  })

  /** Resolves when a list is answered without the primary. */
  const replicaAnswers = (total: number) =>
    vi.waitFor(async () => {
      const before = primary.roundTrips
      expect(await readTotal(cms)).toBe(total)
      expect(primary.roundTrips).toBe(before)
    }, waiting)

  const writes: readonly (readonly [string, (cms: Cms) => Promise<unknown>])[] = [
    ['a request', async (own) => expect((await create(own, 'first')).status).toBe(200)],
    ['a transaction of code', (own) => own.transaction(() => own.entries('note').create({ code: 'first' }))],
  ]

  test.each(writes)('does not hide what %s of this process has written', async (_what, write) => {
    await vi.waitFor(async () => expect(await clusters.hasCaughtUp()).toBe(true), waiting)
    await replicaAnswers(0)
    const other = await start(clusters.primary, [clusters.replica])
    await vi.waitFor(async () => expect(await clusters.hasCaughtUp()).toBe(true), waiting)
    await readTotal(other)
    await clusters.pauseReplay()
    await write(cms)
    for (let time = 0; time < 10; time++) expect(await readTotal(cms)).toBe(1)
    // Another process knows nothing of the write, and its responses are as old as the replica.
    await vi.waitFor(async () => expect(await readTotal(other)).toBe(0), waiting)
    await clusters.resumeReplay()
    await replicaAnswers(1)
  })
})

type Fate = 'stored' | 'refused' | 'not known'

interface Write {
  readonly fate: Fate
  readonly id: number | undefined
  /** On the clock of `performance.now()`. */
  readonly at: number
}

const failovers = [
  ['synchronous replication', { synchronous: true, cutsLink: false }],
  ['asynchronous replication', { synchronous: false, cutsLink: false }],
  ['asynchronous replication that is behind', { synchronous: false, cutsLink: true }],
] as const

describe.skipIf(programs === undefined)('the primary is killed under load', () => {
  test.each(failovers)(
    'with %s',
    async (what, { synchronous, cutsLink }) => {
      clusters = await startPostgresClusters(programs ?? '', { synchronous })
      const address = await startProxy(clusters.primary)
      const cms = await start(address.url, [])
      const heard: number[] = []
      await cms.on('note', ({ entryId }) => void heard.push(Number(entryId)))
      const logIn = async () => {
        const body = JSON.stringify({ identifier: 'ada', password: 'Tower-of-9-words' })
        const response = await cms.fetch('/api/auth/local', { method: 'POST', headers: json, body })
        return { status: response.status, jwt: ((await response.json()) as { jwt?: string }).jwt }
      }
      const { jwt } = await logIn()

      const writes = new Map<string, Write>()
      const reads: number[] = []
      const wrong: string[] = []
      let over = false
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let number = 0; !over; number++) {
          const response = await create(cms, `${writer} ${number}`)
          const text = await response.text()
          if (response.status !== 200 && response.status !== 503)
            wrong.push(`POST ${response.status} ${text}`)
          const id = response.status === 200 ? Number(JSON.parse(text).data.id) : undefined
          const fate = id !== undefined ? 'stored' : text.includes('not known') ? 'not known' : 'refused'
          writes.set(`${writer} ${number}`, { fate, id, at: performance.now() })
          await wait(5)
        }
      })
      const readers = Array.from({ length: 2 }, async () => {
        while (!over) {
          const { status } = await cms.fetch('/api/notes?pagination[pageSize]=1&populate=lines')
          if (status !== 200 && status !== 503) wrong.push(`GET ${status}`)
          reads.push(status)
          await wait(5)
        }
      })
      const countStored = (since = 0) =>
        [...writes.values()].filter(({ fate, at }) => fate === 'stored' && at > since).length
      while (countStored() < 100) await wait(10)
      if (cutsLink) {
        clusters.link.swallow()
        const before = countStored()
        while (countStored() < before + 30) await wait(10)
      }
      const killedAt = performance.now()
      clusters.killPrimary()
      // A balancer that is faster than the promotion: the server behind the address takes no writes yet.
      address.redirect(clusters.replica)
      while ([...writes.values()].filter(({ at }) => at > killedAt).length < 10) await wait(10)
      const promotingAt = performance.now()
      await clusters.promote()
      const promotedAt = performance.now()
      while (countStored(killedAt) < 50) await wait(10)
      over = true
      await Promise.all([...writers, ...readers])
      expect(wrong).toEqual([])

      const found = new Map<number, { readonly code: string; readonly lines: readonly unknown[] }>()
      const total = await readTotal(cms)
      for (let begin = 0; begin < total; begin += 100) {
        const page = `pagination[start]=${begin}&pagination[limit]=100`
        const response = await cms.fetch(`/api/notes?sort=id&populate=lines&${page}`)
        const { data } = (await response.json()) as {
          data: readonly { id: number; attributes: { code: string; lines: readonly unknown[] } }[]
        }
        for (const { id, attributes } of data) found.set(id, attributes)
      }
      expect(found.size).toBe(total)
      const codes = new Set([...found.values()].map(({ code }) => code))
      expect(codes.size).toBe(total)
      expect([...found.values()].filter(({ lines }) => lines.length !== 2)).toEqual([])
      const those = (fate: Fate) => [...writes].filter(([, write]) => write.fate === fate)
      const lost = those('stored').filter(([code]) => !codes.has(code))
      expect(those('refused').filter(([code]) => codes.has(code))).toEqual([])
      if (synchronous) expect(lost).toEqual([])
      if (cutsLink) expect(lost.length).toBeGreaterThan(0)
      // Every write that is left is one that its client was told of, or was told nothing about.
      for (const [code, { id }] of those('stored'))
        if (codes.has(code)) expect(found.get(Number(id))?.code).toBe(code)

      // It goes on: taken values are refused, new entries have ids of their own, sessions and listeners hold.
      expect((await create(cms, [...codes][0] ?? '')).status).toBe(400)
      const made = (await (await create(cms, 'afterwards')).json()) as { data: { id: number } }
      expect(found.has(made.data.id)).toBe(false)
      expect((await cms.fetch('/api/users/me', { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(
        200,
      )
      expect((await logIn()).status).toBe(200)
      await vi.waitFor(() => expect(heard).toContain(made.data.id), waiting)
      const untold = those('stored').filter(
        ([code, { id }]) => codes.has(code) && !heard.includes(Number(id)),
      )
      if (synchronous) expect(untold).toEqual([])

      if (process.env['LOUD'] === '1') {
        const refusals = [...writes.values()].filter(({ fate, at }) => fate !== 'stored' && at > killedAt)
        const counts = {
          acknowledged: those('stored').length,
          lost: lost.length,
          notKnown: those('not known').length,
          notKnownAndStored: those('not known').filter(([code]) => codes.has(code)).length,
          refused: those('refused').length,
          eventsNotTold: untold.length,
          secondsUntilLast503: ((Math.max(...refusals.map(({ at }) => at)) - killedAt) / 1000).toFixed(2),
          secondsOfPromotion: ((promotedAt - promotingAt) / 1000).toFixed(2),
          reads: reads.length,
          reads503: reads.filter((status) => status === 503).length,
        }
        console.log(what, JSON.stringify(counts))
      }
    },
    300_000,
  )
})

test.skipIf(programs === undefined)(
  'a write that a synchronous standby does not confirm is not acknowledged',
  async () => {
    clusters = await startPostgresClusters(programs ?? '', { synchronous: true })
    const cms = await start(clusters.primary, [], 500)
    clusters.link.swallow()
    const response = await create(cms, 'first')
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('It is not known whether the change was made')
    expect(await readTotal(cms)).toBe(0)
    clusters.link.open()
    await vi.waitFor(async () => expect(await readTotal(cms)).toBe(1), waiting)
  },
)
