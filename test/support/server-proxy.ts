// A proxy of a database server that can be shut, as a network between the two can; it counts the responses of PostgreSQL.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ServerProxy {
  /** The server's URL, by way of here. */
  readonly url: string
  /** Responses of PostgreSQL that end a round trip (ReadyForQuery). */
  readonly roundTrips: number
  /** Breaks all connections, and refuses new ones until it is opened again. */
  shut(): void
  open(): void
  /** Keeps all connections and takes new ones, but hands nothing on until it is opened: a network that swallows. */
  swallow(): void
  /** Breaks the connection at the first message of a client that holds this text, before the server sees it. */
  cutAt(text: string | undefined, after?: boolean): void
  /** New connections lead to another server, as behind an address that moves; the present ones stay. */
  redirect(server: string): void
  close(): Promise<void>
}

export async function startServerProxy(server: string): Promise<ServerProxy> {
  let target = new URL(server)
  const sockets = new Set<Socket>()
  let isShut = false
  let swallows = false
  let roundTrips = 0
  let cut: { readonly text: string; readonly after: boolean } | undefined

  const proxy = createServer((client) => {
    sockets.add(client)
    if (isShut) return client.destroy()
    if (swallows) return client.on('error', () => {})
    const isPostgres = target.protocol.startsWith('postgres')
    const upstream = connect(Number(target.port || (isPostgres ? 5432 : 3306)), target.hostname)
    sockets.add(upstream)
    const count = readyCounter(() => {
      roundTrips += 1
    })
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    let deaf = false
    upstream.on('data', (bytes) => {
      if (deaf || swallows) return
      if (isPostgres) count(bytes)
      client.write(bytes)
    })
    client.on('data', (bytes) => {
      if (swallows) return
      if (cut !== undefined && bytes.includes(cut.text)) {
        const { after } = cut
        cut = undefined
        if (!after) return end()
        // The server gets it and does it; what it answers is not heard.
        deaf = true
        upstream.write(bytes, () => setTimeout(end, 50))
        return
      }
      upstream.write(bytes)
    })
    for (const socket of [client, upstream]) {
      socket.on('close', end)
      socket.on('error', end)
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(server)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as AddressInfo).port)
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: url.toString(),
    get roundTrips() {
      return roundTrips
    },
    shut() {
      isShut = true
      breakAll()
    },
    open() {
      isShut = false
      // What was swallowed does not come back: those connections are of no use.
      if (swallows) breakAll()
      swallows = false
    },
    swallow() {
      swallows = true
    },
    cutAt(text, after = false) {
      cut = text === undefined ? undefined : { text, after }
    },
    redirect(to) {
      target = new URL(to)
    },
    async close() {
      breakAll()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

const READY = 'Z'.charCodeAt(0)

/** Follows the server's messages: a byte that says which, four that say how long. */
function readyCounter(onReady: () => void): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  return (bytes) => {
    pending = Buffer.concat([pending, bytes])
    while (pending.length >= 5) {
      const length = 1 + pending.readUInt32BE(1)
      if (pending.length < length) return
      if (pending[0] === READY) onReady()
      pending = pending.subarray(length)
    }
  }
}
