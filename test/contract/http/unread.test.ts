// Clients that ask and do not read: large answers and connections that last are bounded for the server and for one address,
// and the room comes back when they read or go away.

import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { exchange, openSocket, type RawSocket } from './raw-socket.ts'
import { HUGE, openServed, type Served, TRANSPORTS, until } from './subject.ts'

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const REFUSED = { status: 503, headers: { 'retry-after': expect.any(String) } }

describe.each(TRANSPORTS)('%s', (_name, create) => {
  let served: Served
  const clients: RawSocket[] = []
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.destroy()
    await served.close()
    expect(served.application.faults).toEqual([])
  })

  async function ask(path: string): Promise<RawSocket> {
    const before = served.application.reached.length
    const client = await openSocket(served.port)
    clients.push(client)
    client.socket.pause()
    await client.write(request(path))
    await until(() => served.application.reached.length > before)
    // The answer is on its way: a large one is encoded over several turns.
    await wait(50)
    return client
  }

  test.each(['/huge', '/huge-bytes'])('large answers that nobody reads: %s', async (path) => {
    // Room for one at an address: other requests wait until it is read.
    served = await openServed(create, { unsent: 8_000_000 })
    const slow = await ask(path)
    const waiting = await openSocket(served.port)
    clients.push(waiting)
    await waiting.write(request('/items'))
    expect((await exchange(served.port, [request('/_health')]))[0]?.status).toBe(204)
    expect(waiting.socket.bytesRead).toBe(0)
    slow.socket.resume()
    await until(() => slow.socket.bytesRead > HUGE.length)
    expect((await slow.answers(1))[0]?.body === HUGE).toBe(true)
    expect((await waiting.answers(1))[0]?.status).toBe(200)
    expect((await (await served.fetch(path)).text()) === HUGE).toBe(true)
  })

  test('whoever takes nothing loses the connection once others need the room', async () => {
    served = await openServed(create, { unsent: 8_000_000 })
    const slow = await ask('/huge')
    let status = 503
    while (status === 503) {
      status = (await exchange(served.port, [request('/items')]))[0]?.status ?? 0
      await wait(20)
    }
    expect(status).toBe(200)
    slow.socket.resume()
    await slow.closed
    expect(await slow.answers(1)).toEqual([])
  })

  test('clients that read at once are never refused', async () => {
    served = await openServed(create, { unsent: 8_000_000 })
    for (let round = 0; round < 10; round += 1)
      expect((await (await served.fetch('/huge')).text()).length).toBe(HUGE.length)
  })

  test('requests one after the other over a connection that reads nothing', async () => {
    served = await openServed(create, {})
    const client = await openSocket(served.port)
    clients.push(client)
    client.socket.pause()
    const echo = 'x'.repeat(1_500)
    const before = process.memoryUsage().rss
    for (let round = 0; round < 60 && !client.socket.destroyed; round += 1)
      await client.write(request(`/items?${echo}`).repeat(100))
    // 6,000 answers of 1.5 kB, of which the system keeps some megabytes.
    expect(served.application.reached.length).toBeLessThan(6_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
  })

  test('streams: half of the connections, or as the limits say, and half of those for one address', async () => {
    served = await openServed(create, { streams: 4 })
    const first = await ask('/endless')
    await ask('/endless')
    expect((await exchange(served.port, [request('/endless')]))[0]).toMatchObject(REFUSED)
    expect((await exchange(served.port, [request('/items')]))[0]?.status).toBe(200)
    first.socket.destroy()
    await until(() => served.application.endless.over === 1)
    const again = await ask('/endless')
    expect(again.socket.destroyed).toBe(false)
    again.socket.resume()
    await until(() => again.text().startsWith('HTTP/1.1 200'))
  })
})
