import { describe, expect, test } from 'vitest'
import { CHUNKED, checkRequestLine, formatHeader, getBodyBytes } from '../../../src/http/request-head.ts'

describe('bodyLength', () => {
  for (const [name, headers, expected] of [
    ['nothing', ['host', 'a'], 0],
    ['a length', ['content-length', '12'], 12],
    ['zero', ['content-length', '0'], 0],
    ['leading zeros', ['content-length', '007'], 7],
    ['chunked', ['transfer-encoding', 'chunked'], CHUNKED],
    ['other headers twice', ['accept', 'a', 'accept', 'b'], 0],
  ] as const) {
    test(name, () => expect(getBodyBytes(headers)).toBe(expected))
  }

  for (const [name, headers] of [
    ['two lengths', ['content-length', '1', 'content-length', '1']],
    ['a length and chunked', ['content-length', '1', 'transfer-encoding', 'chunked']],
    ['Chunked', ['transfer-encoding', 'Chunked']],
    ['two hosts', ['host', 'a', 'host', 'a']],
    ['two authorizations', ['authorization', 'a', 'authorization', 'a']],
    ['a space', ['content-length', '1 2']],
    ['nothing', ['content-length', '']],
    ['a fraction', ['content-length', '1.0']],
    ['16 digits', ['content-length', '1000000000000000']],
    ['a long head', ['x', 'y'.repeat(32_768)]],
  ] as const) {
    test(`refuses ${name}`, () => {
      expect(() => getBodyBytes(headers)).toThrow(expect.objectContaining({ name: 'BadRequestError' }))
    })
  }
})

test('headerOf joins repeated headers', () => {
  const headers = ['accept', 'a', 'cookie', 'x=1', 'accept', 'b', 'cookie', 'y=2']
  expect(formatHeader(headers, 'accept')).toBe('a, b')
  expect(formatHeader(headers, 'cookie')).toBe('x=1; y=2')
  expect(formatHeader(headers, 'host')).toBe(undefined)
})

test.each([
  ['get', '/'],
  ['FOO', '/'],
  ['CONNECT', '/'],
  ['GET', '*'],
  ['GET', 'http://a/'],
  ['GET', ''],
])('checkRequestLine refuses %s %j', (method, path) => {
  expect(() => checkRequestLine(method, path)).toThrow(expect.objectContaining({ name: 'BadRequestError' }))
})
