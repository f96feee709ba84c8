// The tables of plugins and of the server itself: made when they are needed, kept, and never taken for somebody else's.

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { stringify } from 'yaml'
import { type Cms, createCms } from '../../src/index.ts'
import { run } from '../../src/storage/database.ts'
import { statement } from '../../src/storage/sql/statement.ts'
import { clients, lastingClients, newDatabase, opened } from '../archive/databases-here.ts'
import { newFolder } from '../archive/in-file.ts'
import { runCommand } from '../support/run-command.ts'

const waiting = { timeout: 60_000, interval: 20 }
const alice = { username: 'alice', email: 'alice@example.com', password: 'Passw0rd!alice' }
const jwtSecret = 'a secret for tests, long enough for HS256'

/** Without any plugin that has tables. */
const plain = {
  plugins: { 'users-permissions': { config: { jwtSecret } } },
  contentTypes: { note: { drafts: true, attributes: { text: 'string' } } },
  auth: { roles: { public: { permissions: ['note.*'] } }, users: [alice] },
}
const withSessions = { 'users-permissions': { config: { jwtSecret, jwtManagement: 'refresh' } } }

function withAll(url: string): object {
  const note = { ...plain.contentTypes.note, schedule: true }
  const webhooks = [{ name: 'one', url, events: ['note.create'] }]
  return { ...plain, plugins: withSessions, contentTypes: { note }, events: true, webhooks }
}

async function receiver() {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(String(request.headers['x-strapi-event']))
    request.resume()
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}

async function post(cms: Cms, path: string, body: object, headers: object = {}) {
  const init = { method: 'POST', body: JSON.stringify(body) }
  const response = await cms.fetch(path, {
    ...init,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function fileOn(client: (typeof clients)[number]) {
  const database = await newDatabase(client)
  const { connection, schema, filename } = database
  const settings = { connection, schema, filename }
  const file = join(newFolder(), 'cms.yaml')
  return {
    file,
    write: (config: object) =>
      writeFileSync(file, stringify({ ...config, database: { client, ...settings } })),
    command: (...words: string[]) =>
      runCommand([...words, '--json'], { cwd: dirname(file), input: 'Passw0rd!bob\n' }),
    async ask(text: string) {
      const open = await opened(database)
      try {
        await open.transaction(() => run(statement(text, false), []))
      } finally {
        await open.close()
      }
    },
  }
}

describe.each(clients)('over %s', (client) => {
  test('plugins that an edit turns on get their tables', async () => {
    const { url, received } = await receiver()
    const { file, write } = await fileOn(client)
    write(plain)
    await using cms = await createCms(file, { env: {} })
    write(withAll(url))
    await cms.reload()

    const login = await post(cms, '/api/auth/local', { identifier: 'alice', password: alice.password })
    const { refreshToken } = login.body
    expect((await post(cms, '/api/auth/refresh', { refreshToken })).status).toBe(200)
    const data = { text: 'a', publishedAt: null, publishAt: '2020-01-01T00:00:00Z' }
    expect((await post(cms, '/api/notes', { data })).status).toBe(200)
    const published = async () => (await cms.fetch('/api/notes')).json()
    await vi.waitFor(async () => expect(await published()).toMatchObject({ data: [{ id: 1 }] }), waiting)
    await vi.waitFor(() => expect(received).toContain('entry.create'), waiting)
  })
})

describe.each(lastingClients)('over %s, from one start to the next', (client) => {
  test('tables stay, missing ones are made, and none is called foreign', async () => {
    const { url } = await receiver()
    const { file, write, command, ask } = await fileOn(client)
    write(withAll(url))
    const first = await createCms(file, { env: {} })
    const login = await post(first, '/api/auth/local', { identifier: 'alice', password: alice.password })
    await first.close()
    // As in the database of a version that had no keys yet.
    await ask('drop table cms_run_request_keys')
    await ask('create table somebodys (id integer)')

    const second = await createCms(file, { env: {} })
    const { refreshToken } = login.body
    expect((await post(second, '/api/auth/refresh', { refreshToken })).status).toBe(200)
    const [one, again] = [
      await post(second, '/api/notes', { data: { text: 'a' } }, { 'idempotency-key': 'k' }),
      await post(second, '/api/notes', { data: { text: 'a' } }, { 'idempotency-key': 'k' }),
    ]
    expect([one.status, again]).toEqual([200, one])
    await second.close()

    for (const config of [withAll(url), plain]) {
      write(config)
      expect(JSON.parse((await command('plan', file)).out).foreignTables).toEqual(['somebodys'])
    }
  })

  test('commands find tables that no start has made yet', async () => {
    const { url } = await receiver()
    const { file, write, command, ask } = await fileOn(client)
    write(plain)
    await (await createCms(file, { env: {} })).close()
    await ask('drop table cms_run_token_uses')
    const webhooks = [{ name: 'one', url }]
    const apiTokens = [{ name: 'site', type: 'read-only', token: 'a token for tests, long enough for it' }]
    write({
      ...{ ...plain, plugins: withSessions, events: { users: true }, webhooks },
      auth: { ...plain.auth, apiTokens },
    })
    const said = async (...words: string[]) => {
      const { code, out, err } = await command(...words)
      expect([code, err]).toEqual([0, ''])
      return JSON.parse(out) as object
    }
    const ofAlice = ['--user', 'alice@example.com']
    expect(await said('sessions', 'list', file, ...ofAlice)).toMatchObject({ sessions: [] })
    expect(await said('sessions', 'revoke', file, ...ofAlice)).toMatchObject({ ended: 0 })
    expect(await said('webhooks', 'list', file)).toMatchObject({ deliveries: [] })
    expect(await said('webhooks', 'retry', file)).toMatchObject({ retried: 0 })
    expect(await said('token', 'list', file)).toMatchObject({ tokens: [{ name: 'site', lastUsedAt: null }] })
    const bob = ['--username', 'bob', '--email', 'bob@example.com', '--role', 'authenticated']
    await said('users', 'create', file, ...bob)
    await using cms = await createCms(file, { env: {} })
    const login = await post(cms, '/api/auth/local', { identifier: 'bob', password: 'Passw0rd!bob' })
    expect(login.body).toHaveProperty('refreshToken')
  })
})
