// More than a process can take: connections that are never closed, more of them than there may be, more requests than
// it works on. Those that are refused are told at once, and everything is as before when it is over.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, openSocket } from './raw-socket.ts'
import { createApplication, LIMITS, type Served, TRANSPORTS, until } from './subject.ts'

const linux = process.platform === 'linux'
const GATED = 'GET /gated HTTP/1.1\r\nHost: a\r\n\r\n'
const GET = 'GET /items HTTP/1.1\r\nHost: a\r\n\r\n'

const block = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

describe.each(TRANSPORTS)('%s', (name, create) => {
  const warnings: string[] = []
  let served: Pick<Served, 'application' | 'server' | 'port'>
  const open = async (limits: object, working = 0): Promise<void> => {
    const application = createApplication()
    warnings.length = 0
    const server = create({
      handler(request) {
        block(working)
        return application.handler(request)
      },
      limits: { ...LIMITS, ...limits },
      onFault: (fault) => application.faults.push(fault),
      onWarning: (message) => warnings.push(message),
    })
    served = { application, server, port: (await server.listen(0, '127.0.0.1')).port }
  }
  afterEach(async () => {
    served.application.gate.open()
    await served.server.close(0)
    expect(served.application.faults).toEqual([])
  })

  test('more requests than it works on: the next are refused, health is answered', async () => {
    await open({ requests: 10 })
    const held = Array.from({ length: 10 }, () => exchange(served.port, [GATED]))
    await until(() => served.application.reached.length === 10)
    const post = 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello'
    for (const bytes of [GET, GATED, post, GET]) {
      const [refused] = await exchange(served.port, [bytes])
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
      expect(JSON.parse(refused?.body ?? '')).toEqual({
        data: null,
        error: {
          status: 503,
          name: 'ServiceUnavailableError',
          message: 'the server is overloaded',
          details: {},
        },
      })
    }
    for (const [path, status] of [
      ['/_health', 204],
      ['/_ready', 200],
    ] as const) {
      const [answer] = await exchange(served.port, [`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`])
      expect(answer?.status).toBe(status)
    }
    expect(served.application.reached).toHaveLength(10)
    served.application.gate.open()
    for (const [answer] of await Promise.all(held)) expect(answer?.status).toBe(200)
    expect((await exchange(served.port, [GET]))[0]?.status).toBe(200)
    await until(() => warnings.length === 2)
    expect(warnings).toEqual([
      'overloaded: 10 requests are worked on at the same time; new requests are answered 503',
      expect.stringMatching(/^no longer overloaded: 4 requests were answered 503 within /),
    ])
  })

  test.each([
    [
      'whose body is still sent',
      {},
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello',
      false,
    ],
    [
      'that were given up at their deadline',
      { requestTimeout: 50 },
      'GET /hang HTTP/1.1\r\nHost: a\r\n\r\n',
      true,
    ],
  ])('requests %s do not count', async (_which, limits, bytes, answered) => {
    await open({ requests: 5, ...limits })
    const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(served.port)))
    for (const { write } of sockets) await write(bytes)
    await until(() => served.application.reached.length === 5)
    if (answered) for (const { answers } of sockets) expect((await answers(1))[0]?.status).toBe(503)
    expect((await exchange(served.port, [GET]))[0]?.status).toBe(200)
    for (const { socket } of sockets) socket.destroy()
  })

  test('those that go away do not count', async () => {
    await open({ requests: 5 })
    for (let round = 1; round <= 4; round++) {
      const sockets = await Promise.all(Array.from({ length: 5 }, () => openSocket(served.port)))
      for (const { write } of sockets) await write(GATED)
      await until(() => served.application.reached.filter((path) => path === '/gated').length === 5 * round)
      for (const { socket } of sockets) socket.resetAndDestroy()
      while ((await exchange(served.port, [GET]))[0]?.status !== 200) await wait(5)
    }
  })

  test('an event loop that is late time after time: new requests are refused until it has caught up', async () => {
    await open({ eventLoopDelay: 100 })
    block(1500)
    expect((await exchange(served.port, [GET]))[0]?.status).toBe(200)
    let blocking = true
    const late = (async () => {
      while (blocking) {
        block(800)
        await wait(1)
      }
    })()
    let status = 200
    while (status === 200) status = (await exchange(served.port, [GET]))[0]?.status ?? 0
    expect(status).toBe(503)
    blocking = false
    await late
    while ((await exchange(served.port, [GET]))[0]?.status !== 200) await wait(20)
    expect(warnings[0]).toBe(
      'overloaded: the event loop is more than 100 ms late; new requests are answered 503',
    )
  })

  test('clients that send no whole request and never close keep no descriptor', async () => {
    await open({})
    const bytes = {
      nonsense: 'NONSENSE\r\n\r\n',
      CONNECT: 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'a head that is too long': `GET /${'x'.repeat(40_000)}`,
      'a head that does not end': 'GET / HTTP/1.1\r\nHost: a\r\n',
    }
    const held = new Set(Object.keys(bytes))
    for (const [sent, text] of Object.entries(bytes)) {
      const socket = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true })
      // Whoever still holds the connection takes what is sent.
      let sending: NodeJS.Timeout | undefined
      socket.once('end', () => {
        sending = setInterval(() => socket.write('x'), 100)
      })
      socket.once('close', () => {
        clearInterval(sending)
        held.delete(sent)
      })
      socket.on('error', () => {})
      socket.resume().write(text)
    }
    await expect.poll(() => [...held], { timeout: 60_000 }).toEqual([])
  })

  test.runIf(linux)(
    'more connections than there may be: those that are open go on, others come back',
    async () => {
      await open({ connections: 40 })
      const first = await openSocket(served.port)
      const sockets = await crowd(served.port, 100)
      await until(() => warnings.length > 0)
      expect(warnings[0]).toMatch(
        /, which is the limit: new connections? ?\w* ?are|which is the limit: new ones/,
      )
      await first.write(GET)
      expect((await first.answers(1))[0]?.status).toBe(200)
      expect(descriptors()).toBeLessThan(1000)
      for (const socket of sockets) socket.destroy()
      let status = 0
      while (status !== 200) {
        status = await exchange(served.port, [GET]).then(
          ([answer]) => answer?.status ?? 0,
          () => 0,
        )
      }
      first.socket.destroy()
      // The log says so when none was refused for two seconds.
      if (name === 'uws') await until(() => /accepted again/.test(warnings.at(-1) ?? ''))
    },
  )

  test.runIf(linux)('at the limit of open files it neither spins nor stops answering', async () => {
    await open({})
    // With fewer than its sources need while they are loaded it would not start; Node 24 opens more of them at once, most where
    // tsx has nothing of them in its cache.
    const files = 1000
    const child = await startLimited(name, files)
    const first = await openSocket(child.port)
    const sockets = await crowd(child.port, 1200)
    await wait(1000)
    const before = child.busy()
    const elapsed = performance.now()
    await wait(1000)
    // Whoever spins has a processor, or waits for one, all the time.
    expect((child.busy() - before) / (performance.now() - elapsed)).toBeLessThan(0.6)
    await first.write('GET /_health HTTP/1.1\r\nHost: a\r\n\r\n')
    expect((await first.answers(1))[0]?.status).toBe(204)
    // Between two looks uWebSockets.js accepts as many as come, up to the limit.
    if (name === 'node') expect(child.descriptors()).toBeLessThan(files * 0.625)
    for (const socket of sockets) socket.destroy()
    let status = 0
    while (status !== 204) {
      status = await exchange(child.port, ['GET /_health HTTP/1.1\r\nHost: a\r\n\r\n']).then(
        ([answer]) => answer?.status ?? 0,
        () => 0,
      )
    }
    first.socket.destroy()
    await child.close()
  })
})

function descriptors(pid: number | 'self' = 'self'): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** As many sockets as that, connected or refused. */
async function crowd(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }))
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on('error', () => resolve())
          socket.once('connect', () => resolve())
        }),
    ),
  )
  return sockets
}

/** `cms-run` in a process that may open so many files. */
async function startLimited(transport: string, files: number) {
  const directory = mkdtempSync(join(tmpdir(), 'cms-limited-'))
  const file = join(directory, 'cms.yaml')
  writeFileSync(file, 'server: { port: 0 }\ncontentTypes: { note: { attributes: { text: string } } }\n')
  const bin = join(dirname(fileURLToPath(import.meta.url)), '../../../bin/cms-run.js')
  const child = spawn(
    'sh',
    ['-c', `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, bin, file, '--no-watch'],
    {
      env: { ...process.env, CMS_RUN_TRANSPORT: transport, NODE_ENV: 'development' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let port: string | undefined
  while (port === undefined) {
    if (child.exitCode !== null) throw new Error(output)
    await wait(20)
    port = /listening on \S+:(\d+)/.exec(output)?.[1]
  }
  const { pid = 0 } = child
  return {
    port: Number(port),
    descriptors: () => descriptors(pid),
    /** Milliseconds for which it ran or waited for a processor. */
    busy() {
      const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number)
      return (ran + waited) / 1e6
    },
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(directory, { recursive: true })
    },
  }
}
