import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestLine } from '../../../src/log/request-line.ts'
import { requestText } from '../../../src/log/request-text.ts'

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
  requestId: plain,
})

test('a line is what JSON.stringify would write', () => {
  fc.assert(
    fc.property(line, fc.nat(), maybe(fc.nat()), (one, time, worker) => {
      const more = worker === undefined ? '' : `"worker":${worker},`
      const whole = { level: 30, time, ...(worker !== undefined && { worker }), ...one, message: 'request' }
      expect(requestText(one, time, more)).toBe(`${JSON.stringify(whole)}\n`)
    }),
    { numRuns: 1000 },
  )
})
