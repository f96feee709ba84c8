// Webhooks of several processes: one that goes on after it has lost its lease changes nothing that the other has done.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { createDeliveries, type NewDelivery } from '../../src/plugins/events/webhooks/stored-deliveries.ts'
import { webhookTables } from '../../src/plugins/events/webhooks/webhook-tables.ts'
import type { Database } from '../../src/storage/database.ts'
import { makeTables } from '../../src/storage/make-tables.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { ask, openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { openServerPlace, type ServerClient, serversHere } from '../support/servers.ts'
import { makeTestFile } from '../support/sqlite-copy.ts'

const waiting = { timeout: 60_000, interval: 20 }
const here = await postgresHere()
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function ownSchema(): Promise<TestSchema> {
  const tables = await openTestSchema(String(here))
  closing.push(tables.drop)
  return tables
}

/** Two connections; to a file there is only one, which the file's lock sees to. */
async function connections(
  client: 'memory' | 'sqlite' | ServerClient,
): Promise<readonly [Database, Database]> {
  if (client === 'postgres' || client === 'mysql') {
    const { database, drop } = await openServerPlace(client)
    closing.push(drop)
    const settings = { ...databaseConfig(client), ...database }
    const both = [await openDatabase(settings, '.'), await openDatabase(settings, '.')] as const
    closing.push(() => Promise.all(both.map((each) => each.close())))
    return both
  }
  const { filename, remove } = await makeTestFile()
  closing.push(remove)
  const place = client === 'sqlite' ? { filename } : {}
  const database = await openDatabase({ ...databaseConfig(client), ...place }, '.')
  closing.push(() => database.close())
  return [database, database]
}

function deliveryOf(number: number): NewDelivery {
  const subject = `api::article.article ${number}`
  return { webhook: 'one', message: `msg_${number}`, subject, event: 'entry.create', payload: '{}', at: 0 }
}

describe.each(['memory', 'sqlite', ...(await serversHere())] as const)('deliveries in %s', (client) => {
  test('are added once, and only by who knows the position', async () => {
    const [first, second] = await connections(client)
    const [late, leader] = [createDeliveries(first), createDeliveries(second)]
    await makeTables(first, webhookTables)
    await leader.begin('one', 'e.5')
    await late.begin('one', 'e.9')
    expect(await late.position('one')).toBe('e.5')
    expect(await leader.add('one', 'e.5', 'e.7', [deliveryOf(6), deliveryOf(7)])).toBe(true)
    expect(await late.add('one', 'e.5', 'e.6', [deliveryOf(6)])).toBe(false)
    const messages = async (): Promise<readonly string[]> =>
      (await leader.due(Date.now(), 100)).map(({ message }) => message)
    expect([await late.position('one'), await messages()]).toEqual(['e.7', ['msg_6', 'msg_7']])
    const both = await Promise.all(
      [late, leader].map((each) => each.add('one', 'e.7', 'e.8', [deliveryOf(8)])),
    )
    expect(both.sort()).toEqual([false, true])
    expect(await messages()).toEqual(['msg_6', 'msg_7', 'msg_8'])
  })

  test('are tried no fewer times than was noted', async () => {
    const [first, second] = await connections(client)
    const [late, leader] = [createDeliveries(first), createDeliveries(second)]
    await makeTables(first, webhookTables)
    await leader.begin('one', 'e.0')
    await leader.add('one', 'e.0', 'e.1', [deliveryOf(1)])
    const [read] = await late.due(Date.now(), 1)
    if (read === undefined) throw new Error('nothing is due')
    await leader.failed(read, 1, 0, 'status 500')
    await leader.failed({ ...read, attempts: 1 }, 2, 0, 'status 500')
    await late.failed(read, 1, undefined, 'no answer')
    expect(await leader.due(Date.now(), 1)).toEqual([{ ...read, attempts: 2 }])
  })
})

describe.skipIf(here === undefined)('processes', () => {
  interface Received {
    readonly url: string
    readonly ids: string[]
  }

  async function receiver(status: number): Promise<Received> {
    const ids: string[] = []
    const server: Server = createServer((request, response) => {
      ids.push(String(request.headers['webhook-id']))
      request.resume()
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ids }
  }

  async function start(url: string, { connection, schema }: TestSchema): Promise<Cms> {
    const cms = await createCms(
      {
        webhooks: [{ name: 'one', url, events: ['article.create'] }],
        contentTypes: { article: { attributes: { title: 'string' } } },
      },
      { database: { client: 'postgres', connection, schema, pool: { min: 1, max: 3 } } },
    )
    closing.push(() => cms.close())
    return cms
  }

  test('one that believes to lead while another does adds nothing twice', async () => {
    const tables = await ownSchema()
    const { url } = await receiver(500)
    const first = await start(url, tables)
    const leases = `"${tables.schema}".cms_run_leases where name = 'webhooks'`
    const holder = (): Promise<unknown> => ask(tables.connection, `select holder from ${leases}`)
    await vi.waitFor(async () => expect(await holder()).toHaveLength(1), waiting)
    const before = JSON.stringify(await holder())
    const second = await start(url, tables)
    // The first one asks for its lease only every five seconds.
    await ask(tables.connection, `delete from ${leases}`)
    await vi.waitFor(async () => {
      const now = JSON.stringify(await holder())
      expect([now.length, now]).toEqual([before.length, expect.not.stringContaining(before)])
    }, waiting)
    for (let count = 0; count < 40; count++)
      await (count % 2 === 0 ? first : second).entries('article').create({ title: 'x' })
    const counts = `select count(*)::int, count(distinct message)::int from "${tables.schema}".cms_run_deliveries`
    await vi.waitFor(async () => {
      const [[all, distinct] = []] = await ask(tables.connection, counts)
      expect(Number(distinct)).toBe(40)
      expect(all).toBe(40)
    }, waiting)
  })

  test('one that could not take an event up takes it up later', async () => {
    const tables = await ownSchema()
    const { url, ids } = await receiver(200)
    const cms = await start(url, tables)
    const own = `"${tables.schema}"`
    // A sequence counts on where a transaction is undone.
    await ask(
      tables.connection,
      `create sequence ${own}.tried; create function ${own}.refuse() returns trigger language plpgsql as $$ begin perform nextval('${own}.tried'); raise exception 'refused'; end $$; create trigger refuse before insert on ${own}.cms_run_deliveries for each row execute function ${own}.refuse()`,
    )
    await cms.entries('article').create({ title: 'x' })
    await vi.waitFor(
      async () =>
        expect(await ask(tables.connection, `select is_called from ${own}.tried`)).toEqual([[true]]),
      waiting,
    )
    await ask(tables.connection, `drop trigger refuse on ${own}.cms_run_deliveries`)
    await cms.entries('article').create({ title: 'y' })
    await vi.waitFor(() => expect(new Set(ids).size).toBe(2), waiting)
  })
})
