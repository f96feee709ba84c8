// Bodies that nobody holds: uploads are read at the handler's pace, large answers are sent at the client's.

import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { numbered, openServed, SUBJECTS, TRANSPORTS, until } from './subject.ts'

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }
const body = (length: number): Blob => new Blob([new Uint8Array(length)])

describe.each(SUBJECTS)('%s', (name, open) => {
  test('a multipart body may be as long as an upload, and comes in pieces', async () => {
    const subject = await open()
    const response = await subject.fetch('/pieces', {
      method: 'POST',
      headers: MULTIPART,
      body: body(20_000_000),
    })
    expect([response.status, await response.json()]).toEqual([
      200,
      { length: 20_000_000, inPieces: name !== 'inject' },
    ])
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
})

describe.each(TRANSPORTS)('%s over a socket', (_name, create) => {
  test('an answer that breaks off is not taken for the whole', async () => {
    const served = await openServed(create)
    const response = await served.fetch('/stream-short')
    await expect(response.arrayBuffer()).rejects.toThrow()
    await served.close()
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
