// What counts as equal, and what does not: the comparison must be able to fail.

import { describe, expect, test } from 'vitest'
import { compareAnswers } from './compare.ts'
import { rulingOf } from './deviations.ts'
import type { RecordedCase } from './recorded-case.ts'
import { createRenumbering } from './renumbering.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const names = { components: new Set(['box']) }

function verdict(recorded: unknown, ours: unknown, more: Partial<RecordedCase> = {}): string {
  return compareAnswers(
    recordedCase(recorded, more),
    { status: 200, contentType: JSON_TYPE, body: ours },
    names,
  ).verdict
}

function recordedCase(body: unknown, more: Partial<RecordedCase> = {}): RecordedCase {
  return {
    id: 'x-001',
    area: 'x',
    title: 'a case',
    group: 'x',
    request: { method: 'POST', path: '/api/things', headers: {} },
    response: { status: 200, headers: { 'content-type': JSON_TYPE }, body },
    ...more,
  }
}

const entry = (attributes: object, more: object = {}) => ({ data: { id: 1, attributes, ...more } })
const cast = 'x must be a `number` type, but the final value was: `NaN`.'

describe('the same answer', () => {
  test.each([
    ['equal', entry({ a: 1 }), entry({ a: 1 }), {}],
    ['keys in another order', entry({ a: 1, b: 2 }), entry({ b: 2, a: 1 }), {}],
    ['the meta of an entry', entry({ a: 1 }), entry({ a: 1 }, { meta: { availableLocales: [] } }), {}],
    ['ids of components', entry({ box: { id: 4, a: 1 } }), entry({ box: { id: 9, a: 1 } }), {}],
    ['a masked value', entry({ at: 'now' }), entry({ at: 'then' }), { masks: ['$.data.attributes.at'] }],
    ['a masked value in a list', { list: [{ a: 1 }] }, { list: [{ a: 2 }] }, { masks: ['$.list[*].a'] }],
    [
      'lists without order',
      { data: [{ id: 2 }, { id: 1 }] },
      { data: [{ id: 1 }, { id: 2 }] },
      { unordered: true },
    ],
    ['creators, which are not here', entry({ a: 1, createdBy: null }), entry({ a: 1 }), {}],
  ] as const)('%s', (_, recorded, ours, more) => {
    expect(verdict(recorded, ours, more)).toBe('equal')
  })

  test('other words for a cast that failed', () => {
    expect(verdict({ error: { message: cast } }, { error: { message: 'x is no number' } })).toBe('wording')
  })

  test.each([
    ['a rounded integer', entry({ a: '9223372036854776000' }), entry({ a: '9223372036854775807' })],
    ['a timestamp', entry({ a: '1704067200000' }), entry({ a: '2024-01-01T00:00:00.000Z' })],
  ])('%s in another form', (_, recorded, ours) => {
    expect(verdict(recorded, ours)).toBe('represented')
  })

  test('the uid that this case is known to make', () => {
    const known = { id: 'rest-create-048' }
    expect(verdict(entry({ slug: null }), entry({ slug: 'fresh' }), known)).toBe('represented')
    expect(verdict(entry({ slug: null }), entry({ slug: 'fresh-1' }), known)).toBe('different')
    expect(verdict(entry({ slug: null }), entry({ slug: 'fresh' }))).toBe('different')
  })
})

describe('another answer', () => {
  test.each([
    ['a value', entry({ a: 1 }), entry({ a: 2 }), {}],
    ['a type', entry({ a: '1' }), entry({ a: 1 }), {}],
    ['a key too few', entry({ a: 1, b: 2 }), entry({ a: 1 }), {}],
    ['a key too many', entry({ a: 1 }), entry({ a: 1, b: 2 }), {}],
    ['an element too few', { data: [1, 2] }, { data: [1] }, {}],
    ['an order', { data: [{ id: 2 }, { id: 1 }] }, { data: [{ id: 1 }, { id: 2 }] }, {}],
    ['the id of an entry', { data: { id: 1 } }, { data: { id: 2 } }, {}],
    ['a masked value that is missing', entry({ at: 'now' }), entry({}), { masks: ['$.data.attributes.at'] }],
    ['words', { error: { message: 'Not Found' } }, { error: { message: 'Gone' } }, {}],
    ['meta of something that is no entry', { meta: {} }, { meta: { availableLocales: [] } }, {}],
    ['a number near another', entry({ a: '9007199254740993' }), entry({ a: '9007199254741993' }), {}],
    ['a moment near another', entry({ a: '1704067200000' }), entry({ a: '2024-01-01T00:00:00.001Z' }), {}],
  ] as const)('%s', (_, recorded, ours, more) => {
    expect(verdict(recorded, ours, more)).toBe('different')
  })

  test('a status or a content type', () => {
    const one = recordedCase({})
    for (const ours of [
      { status: 201, contentType: JSON_TYPE, body: {} },
      { status: 200, contentType: 'text/plain', body: {} },
    ])
      expect(compareAnswers(one, ours, names).verdict).toBe('different')
  })
})

describe('rulings', () => {
  const quirk = { quirkKeys: ['unknown-operator-drops-filter'] }

  test.each([
    ['what the ruling says', recordedCase({}, quirk), 400, true],
    ['another status than it says', recordedCase({}, quirk), 200, false],
    ['a failure of ours', recordedCase({}, quirk), 500, false],
    ['a case without a ruling', recordedCase({}), 400, false],
  ] as const)('%s', (_, one, status, excused) => {
    expect(rulingOf(one, status) !== undefined).toBe(excused)
  })

  test('a recorded failure excuses an answer, not a failure', () => {
    const one = recordedCase({}, { response: { status: 500, headers: {}, body: {} } })
    expect(rulingOf(one, 400)).toBeDefined()
    expect(rulingOf(one, 500)).toBeUndefined()
  })
})

test('ids of created entries are followed once they are shifted; those of seeded ones are not touched', () => {
  const renumbering = createRenumbering(new Map([['things', 10]]), names.components)
  const answer = (id: number) => ({
    status: 200,
    contentType: JSON_TYPE,
    body: { data: { id, attributes: {} } },
  })
  const path = (id: number) =>
    renumbering.ours({ method: 'GET', path: `/api/things/${id}?a=1`, headers: {} }).path
  expect(path(12)).toBe('/api/things/12?a=1')
  expect(renumbering.asRecorded(recordedCase({ data: { id: 12 } }), answer(11)).body).toMatchObject({
    data: { id: 12 },
  })
  expect(path(12)).toBe('/api/things/11?a=1')
  expect(path(3)).toBe('/api/things/3?a=1')
})
