import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestLine } from '../../../src/log/request-line.ts'
import { createRequestText } from '../../../src/log/request-text.ts'

const text = fc.string({ unit: 'binary' })
const plain = fc.string()
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined })

// In the order in which they are written. Every key of a line: one that is added has to be written, too.
const line: fc.Arbitrary<Required<RequestLine>> = fc.record({
  method: plain,
  path: text,
  query: maybe(text),
  route: maybe(plain),
  status: maybe(fc.nat()),
  bytes: maybe(fc.nat()),
  ms: fc.nat().map((tenths) => tenths / 10),
  role: maybe(text),
  user: maybe(fc.nat()),
  token: maybe(text),
  statements: maybe(fc.nat()),
  requestId: fc.stringMatching(/^[\w.-]{1,128}$/),
})

// One for all lines, since it keeps what comes again.
const alone = createRequestText('')
const worker = createRequestText('"worker":7,')

test('a line is what JSON.stringify would write', () => {
  fc.assert(
    fc.property(line, fc.nat(20), fc.boolean(), (one, time, isWorker) => {
      const whole = { level: 30, time, ...(isWorker && { worker: 7 }), ...one, message: 'request' }
      expect((isWorker ? worker : alone)(one, time)).toBe(`${JSON.stringify(whole)}\n`)
    }),
    { numRuns: 3000 },
  )
})
