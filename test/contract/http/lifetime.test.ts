// Connections that break off, handlers that never answer, readers that are slow, servers that stop: nobody else notices.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, openSocket } from './raw-socket.ts'
import {
  createApplication,
  LARGE,
  LIMITS,
  openServed,
  type Served,
  SUBJECTS,
  TRANSPORTS,
  until,
} from './subject.ts'

const GET = 'GET /items HTTP/1.1\r\nHost: a\r\n\r\n'
const GATED = 'GET /gated HTTP/1.1\r\nHost: a\r\n\r\n'

describe.each(TRANSPORTS)('%s', (name, create) => {
  let served: Served
  afterEach(() => served.close())

  const healthy = async (): Promise<void> => {
    expect((await served.fetch('/items')).status).toBe(200)
    expect(served.application.faults).toEqual([])
  }

  test.each([
    ['in the head', 'GET /items HTTP/1.1\r\nHo'],
    ['in the body', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello'],
    [
      'in a body that is not waited for',
      'POST /careless HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello',
    ],
    ['in a chunk', 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhello'],
    ['before the answer', GATED],
  ])('a client that goes away %s', async (_name, bytes) => {
    served = await openServed(create)
    for (let count = 0; count < 20; count += 1) {
      const raw = await openSocket(served.port)
      await raw.write(bytes)
      if (count % 2 === 0) raw.socket.resetAndDestroy()
      else raw.socket.destroy()
    }
    await healthy()
    served.application.gate.open()
    await healthy()
  })

  test.each(['before the answer', 'within the answer'])(
    'the signal of a request tells that its client went away %s',
    async (when) => {
      const seen: string[] = []
      const application = createApplication()
      const endless = {
        length: undefined,
        async *chunks() {
          yield Buffer.from('begun')
          await new Promise(() => {})
        },
      }
      const server = create({
        handler: (request) => {
          seen.push('asked')
          request.signal.addEventListener('abort', () => seen.push('aborted'))
          if (request.path === '/items') return { status: 200, body: 'all' }
          return when === 'before the answer' ? new Promise(() => {}) : { status: 200, body: endless }
        },
        limits: LIMITS,
        onFault: (fault) => application.faults.push(fault),
      })
      const { port } = await server.listen(0, '127.0.0.1')
      served = { ...(await openServed(create)), close: () => server.close(0) }
      const whole = await openSocket(port)
      await whole.write(GET)
      await whole.answers(1)
      whole.socket.destroy()
      const raw = await openSocket(port)
      await raw.write(GATED)
      await until(() => (when === 'before the answer' ? seen.length === 2 : raw.text().includes('begun')))
      raw.socket.destroy()
      await until(() => seen.length === 3)
      expect(seen).toEqual(['asked', 'asked', 'aborted'])
      expect(application.faults).toEqual([])
    },
  )

  test('a slow reader of a large answer gets all of it, and others are answered meanwhile', async () => {
    served = await openServed(create)
    const raw = await openSocket(served.port)
    raw.socket.pause()
    await raw.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await healthy()
    raw.socket.resume()
    const [answer] = await raw.answers(1)
    expect(answer?.body === LARGE).toBe(true)
    await raw.write(GET)
    expect(await raw.answers(2)).toHaveLength(2)
    raw.socket.destroy()
  })

  test('readers that give up in the middle of a large answer', async () => {
    served = await openServed(create)
    for (let count = 0; count < 10; count += 1) {
      const raw = await openSocket(served.port)
      await raw.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
      await once(raw.socket, 'data')
      raw.socket.resetAndDestroy()
    }
    await healthy()
  })

  test('a port is free again at once, whoever closed the connections', async () => {
    served = await openServed(create)
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    await new Promise((resolve) => probe.close(resolve))
    for (let round = 0; round < 2; round += 1) {
      const server = create({ handler: () => ({ status: 200 }), limits: LIMITS, onFault: () => {} })
      expect(await server.listen(port, '127.0.0.1')).toEqual({ port })
      const raw = await openSocket(port)
      await raw.write(GET)
      await raw.answers(1)
      await server.close(0)
      await raw.closed
    }
  })

  test('a port that is taken', async () => {
    served = await openServed(create)
    const second = create({ handler: () => ({ status: 200 }), limits: LIMITS, onFault: () => {} })
    await expect(second.listen(served.port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await second.close(0)
    await healthy()
  })

  test('a port that another process has taken', async () => {
    const script = `const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))`
    const other = spawn(process.execPath, ['-e', script])
    const [line] = await once(other.stdout, 'data')
    served = await openServed(create)
    const second = create({ handler: () => ({ status: 200 }), limits: LIMITS, onFault: () => {} })
    await expect(second.listen(Number(line), '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await second.close(0)
    other.kill()
  })

  test('an address that is not ours', async () => {
    served = await openServed(create)
    const second = create({ handler: () => ({ status: 200 }), limits: LIMITS, onFault: () => {} })
    await expect(second.listen(0, '203.0.113.1')).rejects.toThrow(/EADDRNOTAVAIL|cannot listen/)
    await second.close(0)
  })

  test('close lets running requests finish and ends their connections', async () => {
    served = await openServed(create)
    const raw = await openSocket(served.port)
    await raw.write(GATED)
    await until(() => served.application.reached.length === 1)
    const closing = served.server.close(10_000)
    setTimeout(() => served.application.gate.open(), 30)
    expect(await raw.answers(1)).toMatchObject([
      { status: 200, body: '"through"', headers: { connection: 'close' } },
    ])
    await closing
    await raw.closed
    await expect(openSocket(served.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('close waits no longer than it was told to', async () => {
    served = await openServed(create)
    const raw = await openSocket(served.port)
    await raw.write(GATED)
    await until(() => served.application.reached.length === 1)
    await served.server.close(30)
    await raw.closed
    expect(raw.text()).toBe('')
    served.application.gate.open()
  })

  test('close under load: every request that was sent is answered', async () => {
    served = await openServed(create)
    const path = name === 'uws' ? '/micro' : '/macro'
    const request = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
    const results = Array.from({ length: 20 }, async () => {
      const raw = await openSocket(served.port)
      let sent = 0
      for (;;) {
        await raw.write(request)
        sent += 1
        const answers = await raw.answers(sent)
        if (answers.at(-1)?.headers['connection'] === 'close' || answers.length < sent) {
          return { sent, answered: answers.filter(({ status }) => status === 200).length }
        }
      }
    })
    await until(() => served.application.reached.length > 500)
    await served.server.close(10_000)
    for (const { sent, answered } of await Promise.all(results)) expect(answered).toBe(sent)
    expect(served.application.faults).toEqual([])
  })

  test('close does not wait for requests whose clients are gone', async () => {
    served = await openServed(create)
    for (const bytes of [GATED, GATED + GATED + GET, GET + GATED, `POST${GATED.slice(3)}`]) {
      const raw = await openSocket(served.port)
      await raw.write(bytes)
      await healthy()
      raw.socket.resetAndDestroy()
    }
    await healthy()
    await served.server.close(Number.MAX_SAFE_INTEGER)
  })

  test('closing twice, and before listening', async () => {
    served = await openServed(create)
    await Promise.all([served.server.close(0), served.server.close(0)])
    await create({ handler: () => ({ status: 200 }), limits: LIMITS, onFault: () => {} }).close(0)
  })

  test('an unanswered request whose body never ends', async () => {
    served = await openServed(create, { requestTimeout: 100 })
    const [answer] = await exchange(served.port, [
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nhello',
    ])
    expect(answer).toMatchObject({ status: 503, headers: { connection: 'close' } })
    await healthy()
  })

  test('connections come back: a thousand, each answered', async () => {
    served = await openServed(create)
    for (let round = 0; round < 10; round += 1) {
      const all = await Promise.all(Array.from({ length: 100 }, () => exchange(served.port, [GET])))
      for (const [answer] of all) expect(answer?.status).toBe(200)
    }
    await healthy()
  })
})

describe.each(SUBJECTS)('%s', (_name, open) => {
  test('a handler that never answers: 503 at the deadline, and the server goes on', async () => {
    const subject = await open({ requestTimeout: 50 })
    const responses = await Promise.all(Array.from({ length: 5 }, () => subject.fetch('/hang')))
    for (const response of responses) {
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ error: { name: 'ServiceUnavailableError' } })
    }
    expect((await subject.fetch('/items')).status).toBe(200)
    expect(subject.application.faults).toEqual([])
    await subject.close()
  })

  test('a handler that answers after the deadline is not heard', async () => {
    const subject = await open({ requestTimeout: 50 })
    const response = await subject.fetch('/gated')
    expect(response.status).toBe(503)
    subject.application.gate.open()
    expect(await (await subject.fetch('/items')).json()).toEqual({ query: '' })
    expect(subject.application.faults).toEqual([])
    await subject.close()
  })

  test('the caller may abort', async () => {
    const subject = await open()
    const controller = new AbortController()
    const asked = subject.fetch('/gated', { signal: controller.signal })
    await until(() => subject.application.reached.length === 1)
    controller.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    subject.application.gate.open()
    expect((await subject.fetch('/items')).status).toBe(200)
    expect(subject.application.faults).toEqual([])
    await subject.close()
  })
})
