// Events that another process has recorded, the database wakes those who wait, also after it was away (PostgreSQL), or is asked.

import { afterEach, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { mysqlHere } from '../support/mysql.ts'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { type ServerProxy, startServerProxy } from '../support/server-proxy.ts'
import { openServerPlace } from '../support/servers.ts'

const waiting = { timeout: 60_000, interval: 10 }
const config = { events: true, contentTypes: { article: { attributes: { title: 'string' } } } }
const here = await postgresHere()

const open: Cms[] = []
let tables: Pick<TestSchema, 'drop'> | undefined
let proxy: ServerProxy | undefined
afterEach(async () => {
  for (const cms of open.splice(0)) await cms.close()
  await proxy?.close()
  await tables?.drop()
})

async function start(connection: string, schema: string, pooler = false): Promise<Cms> {
  const pool = { min: 1, max: 3 }
  const cms = await createCms(config, { database: { client: 'postgres', connection, schema, pool, pooler } })
  open.push(cms)
  return cms
}

async function both(
  pooler = false,
): Promise<{ writer: Cms; heard: (string | undefined)[]; own: ServerProxy }> {
  const url = String(here)
  const schema = await openTestSchema(url)
  tables = schema
  proxy = await startServerProxy(url)
  const writer = await start(url, schema.schema)
  const listener = await start(proxy.url, schema.schema, pooler)
  const heard: (string | undefined)[] = []
  await listener.on('article', ({ action, entryId }) => heard.push(`${action} ${entryId}`))
  return { writer, heard, own: proxy }
}

async function tell(writer: Cms, heard: readonly unknown[], count: number): Promise<void> {
  const before = heard.length
  for (let told = 1; told <= count; told++) {
    await writer.entries('article').create({ title: 'x' })
    await vi.waitFor(() => expect(heard).toHaveLength(before + told), waiting)
  }
  expect(new Set(heard).size).toBe(heard.length)
}

test.skipIf(here === undefined)('are heard at once, without asking all the time', async () => {
  const { writer, heard, own } = await both()
  await tell(writer, heard, 1)
  const before = own.roundTrips
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  // Without notifications it would ask eight times.
  expect(own.roundTrips - before).toBeLessThan(4)
  // Each would wait for 10 seconds otherwise.
  await tell(writer, heard, 30)
})

test.skipIf(here === undefined)(
  'are all heard after the connection was lost, and at once again',
  async () => {
    const { writer, heard, own } = await both()
    await tell(writer, heard, 2)
    own.shut()
    for (let count = 0; count < 5; count++) await writer.entries('article').create({ title: 'meanwhile' })
    own.open()
    await vi.waitFor(() => expect(heard).toHaveLength(7), waiting)
    await tell(writer, heard, 20)
  },
)

test.skipIf(here === undefined)('are heard behind a pooler, too, which keeps no session', async () => {
  const { writer, heard } = await both(true)
  await tell(writer, heard, 5)
})

test.skipIf((await mysqlHere()) === undefined)(
  'are heard over MySQL or MariaDB, which are asked',
  async () => {
    const place = await openServerPlace('mysql')
    tables = place
    const [writer, listener] = await Promise.all(
      [1, 2].map(() => createCms({ ...config, database: place.database }, { env: {} })),
    )
    if (writer === undefined || listener === undefined) throw new Error('there are two')
    open.push(writer, listener)
    const heard: string[] = []
    await listener.on('article', ({ action, entryId }) => heard.push(`${action} ${entryId}`))
    await tell(writer, heard, 5)
  },
)
