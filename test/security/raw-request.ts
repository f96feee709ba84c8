// One request over one socket, byte for byte as given, and what came back: fetch would tidy up what is hostile.

import { connect } from 'node:net'

export interface RawReply {
  /** 0: the connection was closed without an answer, or none came in time. */
  readonly status: number
  /** In the order they came, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** Everything that was received. */
  readonly text: string
}

/** Nothing answers this late; what does not is a hang. */
const PATIENCE = 10_000

export function sendRaw(port: number, bytes: Uint8Array, patience = PATIENCE): Promise<RawReply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const head = Buffer.from(bytes.subarray(0, 5)).toString('latin1') === 'HEAD '
    const socket = connect({ port, host: '127.0.0.1' })
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(parseReply(Buffer.concat(chunks)))
    }
    const timer = setTimeout(finish, patience)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (isWhole(Buffer.concat(chunks), head)) finish()
    })
    socket.on('error', finish)
    socket.on('close', finish)
  })
}

function isWhole(received: Buffer, head: boolean): boolean {
  const { status, headers, body } = parseReply(received)
  if (status === 0 || !received.includes('\r\n\r\n')) return false
  if (head || status === 204 || status === 304) return true
  const length = headers.find(([name]) => name === 'content-length')?.[1]
  return length !== undefined && Buffer.byteLength(body) >= Number(length)
}

function parseReply(received: Buffer): RawReply {
  const whole = received.toString('utf8')
  // An interim answer comes before the answer.
  const text = whole.replace(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n)+/, '')
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = (end < 0 ? text : text.slice(0, end)).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status, headers, body: end < 0 ? '' : text.slice(end + 4), text: whole }
}
