// PostgreSQL is away for a while: `/_ready` says so at once and says when it is over, `/_health` is not concerned, and
// the log tells the beginning, that it lasts, and the end.

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { ask, openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { type ServerProxy, startServerProxy } from '../support/server-proxy.ts'

const here = await postgresHere()
const server = here ?? ''

const config = {
  contentTypes: { note: { attributes: { text: 'string' } } },
  auth: { roles: { public: { permissions: ['note.*'] } } },
}

const ways = [
  ['refuses connections', (proxy: ServerProxy) => proxy.shut()],
  ['does not answer any more', (proxy: ServerProxy) => proxy.swallow()],
] as const

describe.skipIf(here === undefined).each(ways)('a server that %s', (_what, take) => {
  let proxy: ServerProxy
  let schema: TestSchema
  let cms: Cms
  let lines: string[]

  beforeEach(async () => {
    proxy = await startServerProxy(server)
    schema = await openTestSchema(server)
    lines = []
    const connection = { connection: proxy.url, schema: schema.schema, statementTimeout: '200ms' }
    const database = { client: 'postgres', ...connection } as const
    cms = await createCms(config, { database, log: (line) => lines.push(line) })
  })
  afterEach(async () => {
    proxy.open()
    await cms.close()
    await proxy.close()
    await schema.drop()
  })

  const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) await wait(20)
  }
  const ready = async () => {
    const answer = await cms.fetch('/_ready')
    return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() }
  }
  const away = {
    status: 503,
    retry: '1',
    body: { status: 'not ready', part: 'database', reason: 'the database cannot be reached' },
  }
  const told = (text: string) => lines.filter((line) => line.includes(text))

  test('is no place for traffic, until it is back', async () => {
    expect((await ready()).status).toBe(200)
    take(proxy)
    // What was answered a moment ago still counts.
    await until(async () => (await ready()).status === 503)
    for (let asked = 0; asked < 5; asked++) {
      expect(await ready()).toEqual(away)
      expect((await cms.fetch('/_health')).status).toBe(204)
    }
    expect(told('the database cannot be reached')).toHaveLength(1)
    expect(lines.join('')).not.toContain(new URL(server).password || 'no password')
    proxy.open()
    await until(async () => (await ready()).status === 200)
    expect(told('the database answers again')).toHaveLength(1)
    expect((await cms.fetch('/api/notes')).status).toBe(200)
  })

  test('many who ask at the same time ask it once', async () => {
    take(proxy)
    await until(async () => (await ready()).status === 503)
    const answers = await Promise.all(Array.from({ length: 200 }, ready))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(told('the database cannot be reached')).toHaveLength(1)
  })

  test('is noticed by requests, and its end without any', async () => {
    take(proxy)
    void cms.fetch('/api/notes').catch(() => {})
    void ready()
    await until(() => told('the database cannot be reached').length === 1)
    proxy.open()
    await until(() => told('the database answers again').length === 1)
    expect(told('the database answers again')[0]).toMatch(/after \d+(\.\d)? s/)
  })
})

describe.skipIf(here === undefined)('a server that is there', () => {
  test('but whose every connection is in use is ready', async () => {
    const schema = await openTestSchema(server)
    const connection = `${server}?application_name=${schema.schema}`
    const database = { client: 'postgres', connection, schema: schema.schema, pool: { max: 1 } } as const
    const lines: string[] = []
    const cms = await createCms(config, { database, log: (line) => lines.push(line) })
    const held = `lock table "${schema.schema}".notes in access exclusive mode`
    const over = ask(server, `do $$ begin ${held}; perform pg_sleep(3); end $$`)
    const waiting = Array.from({ length: 3 }, () => cms.fetch('/api/notes'))
    for (let asked = 0; asked < 25; asked++) {
      expect((await cms.fetch('/_ready')).status).toBe(200)
      await wait(100)
    }
    await over
    await Promise.all(waiting)
    expect(lines.join('')).not.toContain('cannot be reached')
    await cms.close()
    await schema.drop()
  })
})
