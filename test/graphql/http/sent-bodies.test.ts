// A body is known again only as the same bytes from a caller of the same permissions, for an answer of the same kind.

import { expect, test } from 'vitest'
import type { Principal } from '../../../src/auth/principal.ts'
import type { HttpRequest } from '../../../src/http/request.ts'
import { SentBodies } from '../../../src/plugins/graphql/http/sent-bodies.ts'

const requestOf = (path: string): HttpRequest => ({ path }) as unknown as HttpRequest
const principalOf = (kind: string, permissions: object): Principal =>
  ({ kind, permissions }) as unknown as Principal

const JSON_TYPE = { contentType: 'application/json', refused: 400 }
const OTHER_TYPE = { contentType: 'application/graphql-response+json; charset=utf-8', refused: 400 }
const permissions = {}
const request = requestOf('/graphql')
const anyone = principalOf('public', permissions)

function remembering(body: Buffer): SentBodies {
  const bodies = new SentBodies()
  const asked = { request, caller: permissions, question: 'q', key: 'POST 1 /graphql q' }
  bodies.remember(asked, anyone, () => JSON_TYPE, body)
  return bodies
}

test('the same body has the key of its answer', () => {
  const body = Buffer.from('{"query":"{ a }"}')
  const bodies = remembering(body)
  expect(bodies.find(request, anyone, JSON_TYPE, Buffer.from(body))?.key).toBe('POST 1 /graphql q')
  // The memory of a body is used again.
  const same = Buffer.from(body)
  body.fill(0)
  expect(bodies.find(request, anyone, JSON_TYPE, same)?.key).toBe('POST 1 /graphql q')
  expect(bodies.find(request, anyone, JSON_TYPE, body)).toBeUndefined()
})

test('anything else has none', () => {
  const tail = ' '.repeat(100)
  const body = Buffer.from(`{"query":"{ a }"}${tail}`)
  const bodies = remembering(body)
  expect(bodies.find(request, anyone, JSON_TYPE, body)).toBeDefined()
  // Its place is told by its length and its end.
  expect(bodies.find(request, anyone, JSON_TYPE, Buffer.from(`{"query":"{ b }"}${tail}`))).toBeUndefined()
  expect(bodies.find(request, anyone, OTHER_TYPE, body)).toBeUndefined()
  expect(bodies.find(requestOf('/other'), anyone, JSON_TYPE, body)).toBeUndefined()
  expect(bodies.find(request, principalOf('user', permissions), JSON_TYPE, body)).toBeUndefined()
  expect(bodies.find(request, principalOf('public', {}), JSON_TYPE, body)).toBeUndefined()
})

test('a long body is not remembered', () => {
  const body = Buffer.alloc(2001, 'x')
  expect(remembering(body).find(request, anyone, JSON_TYPE, body)).toBeUndefined()
})
