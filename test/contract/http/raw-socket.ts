// Bytes in, bytes out: what a socket sees, for tests that care how a request is cut up and when a connection ends.

import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RawSocket {
  readonly socket: Socket
  /** Resolves when the bytes are with the kernel and the server had a turn to read them. */
  write(bytes: string | Uint8Array): Promise<void>
  /** Everything received so far. */
  text(): string
  /** Resolves once `count` whole answers are there, or the connection is closed. */
  answers(count: number, options?: { readonly head?: boolean }): Promise<Answer[]>
  readonly closed: Promise<void>
}

export function openSocket(port: number): Promise<RawSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const received: Buffer[] = []
    const listeners = new Set<() => void>()
    const wake = (): void => {
      for (const listener of listeners) listener()
    }
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    void closed.then(wake)
    socket.on('data', (chunk) => {
      received.push(chunk)
      wake()
    })
    socket.once('error', reject)
    const text = (): string => Buffer.concat(received).toString('latin1')
    socket.once('connect', () => {
      socket.on('error', () => {})
      resolve({
        socket,
        closed,
        text,
        write: (bytes) =>
          new Promise((done) => {
            socket.write(bytes, () => setImmediate(done))
          }),
        answers: (count, { head = false } = {}) =>
          new Promise((done) => {
            const look = (): void => {
              const found = parseAnswers(text(), head)
              if (found.length < count && !socket.closed) return
              listeners.delete(look)
              done(found)
            }
            listeners.add(look)
            look()
          }),
      })
    })
  })
}

/** Sends the parts one by one and resolves with all answers once the server closes or `count` of them are there. */
export async function exchange(port: number, parts: readonly string[], count = 1): Promise<Answer[]> {
  const raw = await openSocket(port)
  for (const part of parts) await raw.write(Buffer.from(part, 'latin1'))
  const answers = await raw.answers(count)
  raw.socket.destroy()
  return answers
}

/** Sends all of it and resolves once the server has closed the connection. */
export async function untilClosed(port: number, bytes: string): Promise<Answer[]> {
  const raw = await openSocket(port)
  await raw.write(Buffer.from(bytes, 'latin1'))
  await raw.closed
  return parseAnswers(raw.text(), false)
}

/** The whole answers at the start of the text; `head`: they answer HEAD and have no body. */
export function parseAnswers(text: string, head: boolean): Answer[] {
  const answers: Answer[] = []
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return answers
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n')
    const match = /^HTTP\/1\.1 (\d{3}) /.exec(line)
    if (!match) throw new Error(`not an answer: ${JSON.stringify(rest.slice(0, 200))}`)
    const headers = Object.fromEntries(
      lines.map((header) => [
        header.slice(0, header.indexOf(':')).toLowerCase(),
        header.slice(header.indexOf(':') + 1).trim(),
      ]),
    )
    const status = Number(match[1])
    const length = head || status === 100 || status === 204 ? 0 : Number(headers['content-length'] ?? 0)
    if (rest.length < end + 4 + length) return answers
    if (status !== 100)
      answers.push({ status, headers, body: rest.slice(end + 4, end + 4 + length).trimEnd() })
    rest = rest.slice(end + 4 + length)
  }
}
