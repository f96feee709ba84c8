// Replicas answer GET requests; what must be fresh, and everything while they are away, comes from the primary. Here
// the primary is its own replica, through proxies that count and can be shut.

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { type ServerProxy, startServerProxy } from '../support/server-proxy.ts'

const here = await postgresHere()

const config = {
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: { roles: { public: { permissions: ['note.*'] } } },
  data: { note: [{ id: 1, text: 'one' }] },
}

describe.skipIf(here === undefined)('replicas', () => {
  let primary: ServerProxy
  let replicas: readonly [ServerProxy, ServerProxy]
  let schema: TestSchema
  let cms: Cms

  beforeEach(async () => {
    const server = here ?? ''
    primary = await startServerProxy(server)
    replicas = [await startServerProxy(server), await startServerProxy(server)]
    schema = await openTestSchema(server)
    cms = await createCms(config, {
      database: {
        client: 'postgres',
        connection: primary.url,
        replicas: replicas.map(({ url }) => url),
        schema: schema.schema,
      },
    })
  })
  afterEach(async () => {
    await cms.close()
    for (const proxy of [primary, ...replicas]) await proxy.close()
    await schema.drop()
  })

  const trips = () => [primary, ...replicas].map(({ roundTrips }) => roundTrips)
  /** What each server was asked since. */
  const since = (before: readonly number[]) => trips().map((count, index) => count - (before[index] ?? 0))
  const get = async (path = '/api/notes') => (await cms.fetch(path)).status

  test('take turns with GET requests, and get nothing else', async () => {
    // After the writes of the start the replicas are asked first whether they show them.
    await vi.waitFor(
      async () => {
        const before = trips()
        for (let time = 0; time < 2; time++) await get()
        expect(since(before)).toEqual([0, 1, 1])
      },
      { timeout: 60_000 },
    )
    const before = trips()
    for (let time = 0; time < 6; time++)
      expect(await get(time % 2 === 0 ? '/api/notes' : '/api/notes/1')).toBe(200)
    expect(since(before)).toEqual([0, 3, 3])
    const between = trips()
    const made = await cms.fetch('/api/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: { text: 'two' } }),
    })
    expect(made.status).toBe(200)
    const [toPrimary, ...toReplicas] = since(between)
    expect(toPrimary).toBeGreaterThan(0)
    expect(toReplicas).toEqual([0, 0])
  })

  test('one that is away is left out, the primary answers while all are', async () => {
    replicas[0].shut()
    for (let time = 0; time < 6; time++) expect(await get()).toBe(200)
    replicas[1].shut()
    const before = trips()
    for (let time = 0; time < 6; time++) expect(await get()).toBe(200)
    expect(since(before)[0]).toBeGreaterThanOrEqual(6)
  })

  test('one that is behind with the tables does not show it', async () => {
    const behind = await createCms(config, {
      database: {
        client: 'postgres',
        connection: primary.url,
        // A schema without the tables.
        replicas: [`${replicas[0].url}?options=-c%20search_path%3Dpg_temp`],
        schema: schema.schema,
      },
    })
    expect((await behind.fetch('/api/notes')).status).toBe(200)
    await behind.close()
  })
})
