// Several processes on one port: edits, deaths, limits and the end, while requests come.

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseMetrics } from '../monitoring/parse-metrics.ts'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { startLoad } from '../support/start-load.ts'
import { transportsHere } from '../support/transports.ts'
import { found, startWorkerServer, type WorkerServer } from './worker-server.ts'

const here = await postgresHere()

const yaml = ({ connection, schema }: TestSchema) => `
server: { port: 0, workers: 3, metrics: true }
database: { client: postgres, connection: '${connection}', schema: ${schema}, pool: { min: 0, max: 3 } }
contentTypes:
  article: { attributes: { title: string } }
plugins: { users-permissions: { config: { ratelimit: { interval: 10min, max: 5 } } } }
auth:
  roles:
    public: { permissions: ['article.*', plugin::users-permissions.auth.callback] }
    authenticated: { permissions: [plugin::users-permissions.user.me, plugin::users-permissions.auth.changePassword] }
  users: [{ username: ada, email: ada@example.com, password: first-password, role: authenticated, confirmed: true }]
data:
  article: [{ id: 1, title: Hello }]
`

describe.skipIf(here === undefined).each(transportsHere)('workers over %s', (transport) => {
  let schema: TestSchema
  let server: WorkerServer

  beforeEach(async () => {
    schema = await openTestSchema(here ?? '')
    server = await startWorkerServer(yaml(schema), transport)
    // The line that they listen may come before those of the last of them.
    await found(() => (server.workers().length === 3 ? true : undefined))
  })
  afterEach(async () => {
    await server.close()
    await schema.drop()
  })

  const each = <T>(count: number, task: () => Promise<T>) => Promise.all(Array.from({ length: count }, task))

  test('an edit reaches all of them, one after the other, and no request fails', async () => {
    const load = startLoad(`${server.url}/api/articles`, 8)
    await server.edit((text) => text.replace('title: string', 'title: string, extra: integer'))
    await found(() => (server.output().match(/reloaded in/g)?.length === 3 ? true : undefined))
    await wait(100)
    const { failed, dropped, requests, faults } = await load.stop()
    expect({ failed, dropped, faults }).toEqual({ failed: 0, dropped: 0, faults: [] })
    expect(requests).toBeGreaterThan(50)
    for (const { text } of await each(30, () => server.ask('/api/articles')))
      expect(text).toContain('"extra":null')
  })

  test('metrics are those of all of them', async () => {
    await each(30, () => server.ask('/api/articles'))
    const metrics = parseMetrics((await server.ask('/metrics')).text)
    expect(metrics.value('cms_http_requests_total', { route: '/api/articles', status: '2xx' })).toBe(30)
    const pids = metrics.labels('process_resident_memory_bytes', 'worker').map(Number)
    expect(pids.toSorted()).toEqual(server.workers().toSorted())
    expect(metrics.value('cms_database_connections', { state: 'limit' })).toBe(9)
  })

  test('a wrong edit is told once, and changes nothing', async () => {
    await server.edit((text) => text.replace('title: string', 'title: strung'))
    await found(() => (server.output().includes('the edit has errors') ? true : undefined))
    await wait(300)
    expect(server.output().match(/the edit has errors/g)).toHaveLength(1)
    for (const { status } of await each(20, () => server.ask('/api/articles'))) expect(status).toBe(200)
  })

  test('one that dies is replaced, and nobody is refused meanwhile', async () => {
    const load = startLoad(`${server.url}/api/articles`, 6)
    const [victim = 0] = server.workers()
    await wait(200)
    process.kill(victim, 'SIGKILL')
    const refused: unknown[] = []
    const asking = (async () => {
      while (server.workers().length < 4) {
        // What was on its way to the one that died is lost with it; nobody finds the port closed.
        await server.ask('/api/articles').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ECONNREFUSED') refused.push(error)
        })
      }
    })()
    await asking
    const { faults } = await load.stop()
    expect(refused).toEqual([])
    expect(faults.filter((fault) => !/ECONNRESET|socket hang up|EPIPE/.test(fault))).toEqual([])
    expect(server.output()).toContain('a worker ended: it is replaced')
    for (const { status } of await each(30, () => server.ask('/api/articles'))) expect(status).toBe(200)
  })

  test('a limit is one for all of them', async () => {
    const body = { identifier: 'ada', password: 'wrong' }
    const answers = await each(25, () => server.ask('/api/auth/local', { method: 'POST', body }))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(5).fill(400), ...Array(20).fill(429)])
  })

  test('a token of one is a token of all, and its end is the end everywhere', async () => {
    const body = { identifier: 'ada', password: 'first-password' }
    const login = await server.ask('/api/auth/local', { method: 'POST', body })
    const { jwt: token } = JSON.parse(login.text) as { jwt: string }
    for (const { status } of await each(12, () => server.ask('/api/users/me', { token })))
      expect(status).toBe(200)
    const password = 'another-password'
    const change = { currentPassword: 'first-password', password, passwordConfirmation: password }
    const changed = await server.ask('/api/auth/change-password', { method: 'POST', body: change, token })
    expect(changed.status).toBe(200)
    for (const { status } of await each(12, () => server.ask('/api/users/me', { token })))
      expect(status).toBe(401)
  })

  test('users’ code that fails where nobody waits ends no worker; a file that a refused edit brought in is followed', async () => {
    const workers = server.workers()
    const told = (what: RegExp, times: number) =>
      found(() => ((server.output().match(what)?.length ?? 0) >= times ? true : undefined))
    await server.write('fail.ts', 'export default (')
    await server.edit((text) => `${text}routes: [{ path: /fail, handler: ./fail.ts, auth: false }]\n`)
    await told(/the edit has errors/g, 1)
    const line = 'setTimeout(() => { throw new Error("from a timer") }, 1)'
    await server.write('fail.ts', `export default () => {\n${line}\nreturn {} }\n`)
    await told(/reloaded in/g, 3)
    for (const { status } of await each(30, () => server.ask('/api/fail'))) expect(status).toBe(200)
    await told(/from a timer at [^;]*fail\.ts:2:\d+; the server goes on/g, 3)
    expect(server.workers()).toEqual(workers)
    expect(server.output()).not.toContain('a worker ended')
  })

  test('a signal ends them all, when what runs is answered', async () => {
    const workers = server.workers()
    const load = startLoad(`${server.url}/api/articles`, 4)
    await wait(100)
    const code = await server.end('SIGTERM')
    const { faults } = await load.stop()
    expect(code).toBe(0)
    expect(faults.filter((fault) => /^\d/.test(fault))).toEqual([])
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  })
})

describe.skipIf(here === undefined)('workers, one of which is starting', () => {
  test('it ends with the others', async () => {
    const schema = await openTestSchema(here ?? '')
    const server = await startWorkerServer(yaml(schema), transportsHere[0])
    const [victim = 0] = server.workers()
    process.kill(victim, 'SIGKILL')
    await found(() => (server.output().includes('a worker ended: it is replaced') ? true : undefined))
    expect(await server.end('SIGTERM')).toBe(0)
    await schema.drop()
  })
})

describe.skipIf(here === undefined)('workers, one of which hangs', () => {
  let schema: TestSchema
  let server: WorkerServer

  beforeEach(async () => {
    schema = await openTestSchema(here ?? '')
    const two = yaml(schema).replace('workers: 3', 'workers: 2, workerTimeout: 4s')
    const spin = "routes: [{ method: GET, path: /spin, handler: './spin.mjs', auth: false }]\n"
    server = await startWorkerServer(two + spin, transportsHere[0])
  })
  afterEach(async () => {
    await server.close()
    await schema.drop()
  })

  test.each([
    ['is stopped', (pid: number) => void process.kill(pid, 'SIGSTOP')],
    ['is in an endless loop', () => void server.ask('/api/spin').catch(() => {})],
  ])('one that %s is ended and replaced, and it is said', async (_how, hang) => {
    const [victim = 0] = server.workers()
    hang(victim)
    const [, hung] =
      (await found(
        () =>
          /"worker":(\d+),"message":"a worker has not responded for 4 s/.exec(server.output()) ?? undefined,
      )) ?? []
    expect(server.workers()).toContain(Number(hung))
    await found(() => (server.workers().length > 2 ? true : undefined))
    expect(server.output()).toContain('a worker ended: it is replaced')
    for (const { status } of await Promise.all(Array.from({ length: 20 }, () => server.ask('/api/articles'))))
      expect(status).toBe(200)
    expect(() => process.kill(Number(hung), 0)).toThrow(/ESRCH/)
  })

  test('one that hangs does not keep the others from ending', async () => {
    const [victim = 0] = server.workers()
    process.kill(victim, 'SIGSTOP')
    expect(await server.end('SIGTERM')).toBe(1)
    for (const pid of server.workers()) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  })
})

test('they need a database that they can share', async () => {
  const text = 'contentTypes: { article: { attributes: { title: string } } }\n'
  await expect(startWorkerServer(text, 'node', ['--workers', '2'])).rejects.toThrow(
    /2 workers need a database that they can share/,
  )
})
