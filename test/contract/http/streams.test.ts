// Bodies that nobody holds: uploads are read at the handler's pace, large answers are sent at the client's.

import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openSocket } from './raw-socket.ts'
import { numbered, openServed, SUBJECTS, TRANSPORTS, until } from './subject.ts'

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }
const body = (length: number): Blob => new Blob([new Uint8Array(length)])

describe.each(SUBJECTS)('%s', (_name, open) => {
  test('a multipart body may be as long as an upload, and comes in pieces', async () => {
    const subject = await open()
    const response = await subject.fetch('/pieces', {
      method: 'POST',
      headers: MULTIPART,
      body: body(20_000_000),
    })
    expect([response.status, await response.json()]).toEqual([200, { length: 20_000_000, inPieces: true }])
    await subject.close()
  })

  test('an upload beyond its limit is refused', async () => {
    const subject = await open({ upload: 1_000_000 })
    const response = await subject.fetch('/pieces', {
      method: 'POST',
      headers: MULTIPART,
      body: body(3_000_000),
    })
    expect([response.status, (await response.json()) as unknown]).toEqual([
      413,
      expect.objectContaining({ error: expect.objectContaining({ message: 'request entity too large' }) }),
    ])
    await subject.close()
  })

  test('a multipart body read as a whole is held to the limit of bodies', async () => {
    const subject = await open()
    for (const [length, status] of [
      [90_000, 200],
      [110_000, 413],
    ] as const) {
      const response = await subject.fetch('/echo', {
        method: 'POST',
        headers: MULTIPART,
        body: body(length),
      })
      expect(response.status).toBe(status)
      await response.arrayBuffer()
    }
    await subject.close()
  })

  test('other bodies in pieces are held to the limit of bodies', async () => {
    const subject = await open()
    const headers = { 'content-type': 'application/octet-stream' }
    const response = await subject.fetch('/pieces', { method: 'POST', headers, body: body(110_000) })
    expect(response.status).toBe(413)
    await subject.close()
  })

  test.each(['/first-piece', '/ignore'])('%s: what is answered before the upload is over', async (path) => {
    const subject = await open()
    const response = await subject.fetch(path, { method: 'POST', headers: MULTIPART, body: body(5_000_000) })
    expect(response.status).toBe(200)
    await response.text()
    expect((await subject.fetch('/items')).status).toBe(200)
    await subject.close()
  })

  test.each([0, 1, 65_536, 5_000_001])('an answer of %i bytes made in pieces', async (length) => {
    const subject = await open()
    const response = await subject.fetch(`/stream/${length}`)
    expect(response.headers.get('content-length')).toBe(String(length))
    const received = Buffer.from(await response.arrayBuffer())
    expect(received.equals(numbered(0, length))).toBe(true)
    const head = await subject.fetch(`/stream/${length}`, { method: 'HEAD' })
    expect([head.headers.get('content-length'), await head.text()]).toEqual([String(length), ''])
    await subject.close()
  })

  test.each([0, 1, 65_536, 5_000_001])('an answer of %i bytes whose length nobody knew', async (length) => {
    const subject = await open()
    const response = await subject.fetch(`/unknown/${length}`)
    // A transport that finds nothing to send before it has sent the head may say so.
    if (length > 0) expect(response.headers.get('content-length')).toBe(null)
    const received = Buffer.from(await response.arrayBuffer())
    expect(received.equals(numbered(0, length))).toBe(true)
    const head = await subject.fetch(`/unknown/${length}`, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, null, ''])
    expect(subject.application.faults).toEqual([])
    await subject.close()
  })

  test.each([
    ['/items', 'GET', 200],
    ['/nowhere', 'GET', 404],
    ['/items/1', 'DELETE', 204],
    ['/large', 'GET', 200],
    ['/macro', 'GET', 200],
    ['/rejects', 'GET', 500],
    ['/splitting', 'GET', 500],
    ['/stream/0', 'GET', 200],
    ['/stream/3000000', 'GET', 200],
    ['/stream/3000000', 'HEAD', 200],
    ['/unknown/0', 'GET', 200],
    ['/unknown/3000000', 'GET', 200],
    ['/unknown/3000000', 'HEAD', 200],
    ['/ignore', 'POST', 200],
  ])('what the answer of %s %s needs is released once, when it is sent', async (path, method, status) => {
    const subject = await open()
    const response = await subject.fetch(path, method === 'POST' ? { method, body: 'a' } : { method })
    expect(response.status).toBe(status)
    await response.arrayBuffer()
    await until(() => subject.application.released === 1)
    await subject.fetch('/items').then((next) => next.text())
    await until(() => subject.application.released === 2)
    await subject.close()
  })

  test('and when nobody waits for the answer any more', async () => {
    const subject = await open()
    const controller = new AbortController()
    const asked = subject.fetch('/gated', { signal: controller.signal })
    await until(() => subject.application.reached.length === 1)
    expect(subject.application.released).toBe(0)
    controller.abort()
    await expect(asked).rejects.toThrow()
    await until(() => subject.application.released === 1)
    subject.application.gate.open()
    await subject.close()
  })

  test('and when the answer is late', async () => {
    const subject = await open({ requestTimeout: 50 })
    expect((await subject.fetch('/gated')).status).toBe(503)
    await until(() => subject.application.released === 1)
    subject.application.gate.open()
    await subject.close()
  })

  test('a reader that stops in the middle of an answer without a length ends it', async () => {
    const subject = await open()
    const { application } = subject
    const response = await subject.fetch('/endless')
    const reader = response.body?.getReader()
    await reader?.read()
    expect([application.endless.over, application.released]).toEqual([0, 0])
    await reader?.cancel()
    await until(() => application.endless.over === 1 && application.released === 1)
    expect(application.faults).toEqual([])
    await subject.close()
  })
})

describe.each(TRANSPORTS)('%s over a socket', (_name, create) => {
  test.each(['/stream-short', '/unknown-breaks'])(
    '%s: an answer that breaks off is not taken for the whole',
    async (path) => {
      const served = await openServed(create)
      const response = await served.fetch(path)
      await expect(response.arrayBuffer()).rejects.toThrow()
      await until(() => served.application.released === 1)
      const messages = served.application.faults.map((fault) => (fault as Error).message)
      expect(messages).toEqual(path === '/unknown-breaks' ? ['a disk that fails'] : [])
      await served.close()
    },
  )

  test('an answer without a length comes in chunks, and the connection is used again', async () => {
    const served = await openServed(create)
    const raw = await openSocket(served.port)
    for (let count = 0; count < 3; count += 1) {
      const before = raw.text().length
      await raw.write('GET /unknown/70000 HTTP/1.1\r\nhost: x\r\n\r\n')
      await until(() => raw.text().length > before && raw.text().endsWith('\r\n0\r\n\r\n'))
      const answer = raw.text().slice(before)
      const end = answer.indexOf('\r\n\r\n')
      expect(answer.slice(0, end)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*transfer-encoding: chunked/i)
      expect(answer.slice(0, end)).not.toMatch(/content-length/i)
      expect(answer.slice(end + 4)).toMatch(/^10000\r\n[\s\S]{65536}\r\n1170\r\n[\s\S]{4464}\r\n0\r\n\r\n$/)
    }
    await raw.write('GET /items HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => raw.text().endsWith('{"query":""}'))
    raw.socket.destroy()
    await served.close()
  })

  test('an answer without a length is made no faster than it is read', async () => {
    const served = await openServed(create)
    const { endless } = served.application
    const raw = await openSocket(served.port)
    raw.socket.pause()
    await raw.write('GET /endless HTTP/1.1\r\nhost: x\r\n\r\n')
    let seen = -1
    while (endless.made !== seen) {
      seen = endless.made
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    // What the sockets of both sides hold.
    expect(seen).toBeLessThan(20_000_000)
    raw.socket.resume()
    await until(() => endless.made > seen + 20_000_000)
    expect([endless.over, served.application.released]).toEqual([0, 0])
    raw.socket.resetAndDestroy()
    await until(() => endless.over === 1 && served.application.released === 1)
    expect(served.application.faults).toEqual([])
    await served.close()
  })

  test('the last bytes of a large answer may wait for their reader', async () => {
    const served = await openServed(create)
    const raw = await openSocket(served.port)
    raw.socket.pause()
    await raw.write('GET /stream/8000000 HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(served.application.released).toBe(0)
    raw.socket.resume()
    await raw.answers(1)
    await until(() => served.application.released === 1)
    expect(served.application.faults).toEqual([])
    raw.socket.destroy()
    await served.close()
  })

  test('a server that closes lets an answer in pieces be read to its end', async () => {
    const served = await openServed(create)
    const raw = await openSocket(served.port)
    raw.socket.pause()
    await raw.write('GET /unknown/20000000 HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => served.application.reached.length === 1)
    const closing = served.server.close(10_000)
    raw.socket.resume()
    await until(() => raw.text().endsWith('\r\n0\r\n\r\n'))
    await closing
    expect(served.application.released).toBe(1)
    raw.socket.destroy()
  })

  test('a client that goes away in the middle of an answer does no harm', async () => {
    const served = await openServed(create)
    const controller = new AbortController()
    const response = await served.fetch('/stream/25000000', { signal: controller.signal })
    await response.body?.getReader().read()
    controller.abort()
    expect((await served.fetch('/items')).status).toBe(200)
    await until(() => served.application.faults.length === 0)
    await served.close()
  })

  test('a sender waits while nobody reads', async () => {
    const served = await openServed(create)
    const total = 25_000_000
    let sent = 0
    let answered: (status: number) => void = () => {}
    const answer = new Promise<number>((resolve) => {
      answered = resolve
    })
    const request = httpRequest(
      `http://127.0.0.1:${served.port}/gated-pieces`,
      { method: 'POST', headers: { ...MULTIPART, 'content-length': total } },
      (response) => {
        response.resume()
        answered(response.statusCode ?? 0)
      },
    )
    const piece = Buffer.alloc(100_000)
    const send = (): void => {
      while (sent < total) {
        sent += piece.length
        if (!request.write(piece)) return void request.once('drain', send)
      }
      request.end()
    }
    send()
    await until(() => served.application.reached.includes('/gated-pieces'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    // What is not on its way any more waits in sockets and in a quarter of a megabyte of ours.
    expect(sent).toBeLessThan(total / 2)
    served.application.gate.open()
    expect(await answer).toBe(200)
    await served.close()
  })
})
