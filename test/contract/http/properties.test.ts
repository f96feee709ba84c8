// Promises that hold for whatever is sent.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSocket, parseAnswers } from './raw-socket.ts'
import { LIMITS, openServed, type Served, TRANSPORTS } from './subject.ts'

/** Cuts bytes at the given places, which wrap around. */
function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  const starts = [0, ...ends]
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length))
}

const body = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.nat(255), fc.integer({ min: 1, max: LIMITS.body }))
    .map(([byte, length]) => new Uint8Array(length).fill(byte)),
)
const places = fc.array(fc.nat(), { maxLength: 8 })

const TEMPLATES = [
  'GET /items?a=1 HTTP/1.1\r\nHost: a\r\nX-A: b\r\n\r\n',
  'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
]

const PIECES = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '0',
  '5',
  '-',
  '%',
  '\xff',
  'chunked',
  'Content-Length: 1\r\n',
]

type Mutation = readonly [place: number, removed: number, inserted: string]

const mutation: fc.Arbitrary<Mutation> = fc.tuple(
  fc.nat(200),
  fc.nat(3),
  fc.oneof(
    fc.constantFrom(...PIECES),
    fc.nat(255).map((code) => String.fromCharCode(code)),
    fc.constant(''),
  ),
)

function mutated(template: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((text, [place, removed, inserted]) => {
    const at = place % text.length
    return text.slice(0, at) + inserted + text.slice(at + removed)
  }, template)
}

describe.each(TRANSPORTS)('%s', (_name, create) => {
  let served: Served
  beforeAll(async () => {
    served = await openServed(create)
  })
  afterAll(() => served.close())

  const echoed = async (bytes: Buffer, sent: Uint8Array, cuts: readonly number[]): Promise<void> => {
    const raw = await openSocket(served.port)
    for (const part of cutAt(bytes, cuts)) await raw.write(part)
    const [answer] = await raw.answers(1)
    raw.socket.destroy()
    expect(answer?.status).toBe(200)
    const text = raw.text()
    const received = text.slice(text.indexOf('\r\n\r\n') + 4)
    expect(Buffer.from(received, 'latin1').equals(sent)).toBe(true)
  }

  test('the body that a handler reads is the body that was sent', async () => {
    await fc.assert(
      fc.asyncProperty(body, places, async (sent, cuts) => {
        const head = `POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: ${sent.length}\r\n\r\n`
        await echoed(Buffer.concat([Buffer.from(head), sent]), sent, cuts)
      }),
      { numRuns: 100 },
    )
  })

  test('however it is chunked', async () => {
    await fc.assert(
      fc.asyncProperty(body, places, places, async (sent, chunks, cuts) => {
        const coded = cutAt(Buffer.from(sent), chunks)
          .filter(({ length }) => length > 0)
          .flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
        const head = 'POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
        await echoed(Buffer.concat([Buffer.from(head), ...coded, Buffer.from('0\r\n\r\n')]), sent, cuts)
      }),
      { numRuns: 100 },
    )
  })

  test('a damaged request reaches at most one route, gets at most one success, and harms nobody', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...TEMPLATES),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        places,
        async (template, mutations, cuts) => {
          served.application.reached.length = 0
          const raw = await openSocket(served.port)
          for (const part of cutAt(Buffer.from(mutated(template, mutations), 'latin1'), cuts))
            await raw.write(part)
          await Promise.race([raw.closed, new Promise((resolve) => setTimeout(resolve, 5))])
          raw.socket.destroy()
          const statuses = parseAnswers(raw.text(), false).map(({ status }) => status)
          expect(statuses.filter((status) => status < 300).length).toBeLessThanOrEqual(1)
          expect(statuses.length).toBeLessThanOrEqual(2)
          expect(served.application.reached.length).toBeLessThanOrEqual(1)
          expect((await served.fetch('/_health')).status).toBe(204)
          expect(served.application.faults).toEqual([])
        },
      ),
      { numRuns: 300 },
    )
  })
})
