// Fake entries are valid for whatever the attributes ask, and the same at every start.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'

const LOCALES = ['en', 'fr']

async function made(
  contentTypes: object,
  fake: object,
  more: object = {},
): Promise<Record<string, unknown>[]> {
  const i18n = { config: { defaultLocale: 'en', locales: LOCALES } }
  const cms = await createCms({ contentTypes, plugins: { i18n }, data: { fake, ...more } }, { env: {} })
  const entries = await cms
    .entries('thing')
    .findMany({ locale: 'all', populate: '*', publicationState: 'preview' })
  await cms.close()
  return entries as Record<string, unknown>[]
}

const withoutMoments = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, item) => (/^(created|updated|published)At$/.test(key) ? undefined : item)),
  )

const range = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 60, max: 90 }))
const lengths = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 21, max: 200 }))
const attribute = fc.oneof(
  lengths.map(([minLength, maxLength]) => ({ type: 'string', minLength, maxLength })),
  fc.constant({ type: 'string', unique: true }),
  fc.constant({ type: 'string', regex: '^[A-Z]{2}-[0-9]{3}$' }),
  fc
    .constantFrom(
      'text',
      'richtext',
      'blocks',
      'email',
      'uid',
      'boolean',
      'date',
      'time',
      'datetime',
      'json',
      'biginteger',
    )
    .map((type) => ({ type })),
  range.map(([min, max]) => ({ type: 'integer', min, max })),
  range.map(([min, max]) => ({ type: 'decimal', min, max })),
  fc.constant({ type: 'enumeration', enum: ['S', 'M', 'L'] }),
  fc.constant({ type: 'relation', relation: 'manyToMany', target: 'api::other.other' }),
  fc.constant({ type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' }),
  fc.constant({ type: 'string', pluginOptions: { i18n: { localized: true } } }),
)
const model = fc.record({
  attributes: fc.dictionary(
    fc.constantFrom(
      'name',
      'title',
      'email',
      'city',
      'price',
      'startsAt',
      'endsAt',
      'colour',
      'code',
      'other',
    ),
    fc
      .tuple(attribute, fc.boolean())
      .map(([one, required]) => ({ ...one, ...(one.type === 'relation' ? {} : { required }) })),
    { minKeys: 1 },
  ),
  localized: fc.boolean(),
  count: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer({ min: 0, max: 1000 }),
})

test('of random content-types', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(model, async ({ attributes, localized, count, seed }) => {
      const types = {
        other: { attributes: { label: { type: 'string', unique: true, required: true } } },
        thing: { attributes, pluginOptions: { i18n: { localized } } },
      }
      const first = await made(types, { thing: count, other: 3, seed })
      const again = await made(types, { thing: count, other: 3, seed })
      // A uid is always localized.
      const words = Object.values(attributes).some((one) => 'pluginOptions' in one || one.type === 'uid')
      expect(first).toHaveLength(localized && words ? count * LOCALES.length : count)
      expect(withoutMoments(again)).toEqual(withoutMoments(first))
    }),
    { numRuns: 15 },
  )
})

describe('one content-type', () => {
  const thing = { attributes: { name: { type: 'string', unique: true, required: true }, email: 'email' } }

  test('entries of the file stay first, with their ids; another seed makes others', async () => {
    const more = { things: [{ name: 'Ann' }, { id: 7, name: 'Bob' }] }
    const seven = await made({ thing }, { things: 3, seed: 7 }, more)
    const eight = await made({ thing }, { things: 3, seed: 8 }, more)
    expect(seven.map(({ id }) => id)).toEqual([1, 7, 8, 9, 10])
    expect(seven.slice(0, 2).map(({ name }) => name)).toEqual(['Ann', 'Bob'])
    expect(seven[2]?.['name']).not.toEqual(eight[2]?.['name'])
    expect(seven[2]?.['email']).toMatch(/@example\.(com|net|org)$/)
  })

  test('more entries leave those before them as they are', async () => {
    const [few, many] = [await made({ thing }, { thing: 2 }), await made({ thing }, { thing: 5 })]
    expect(withoutMoments(many.slice(0, 2))).toEqual(withoutMoments(few))
  })

  test('what cannot be made up is reported where it is asked for', async () => {
    const code = { type: 'string', required: true, regex: '^(?=.*é)[a-z]{40}$' }
    await expect(made({ thing: { attributes: { code } } }, { thing: 1 })).rejects.toThrow(
      /SEED001[\s\S]*code/,
    )
  })

  test('rules across attributes are kept, to the last combination', async () => {
    const slot = {
      attributes: {
        room: { type: 'enumeration', enum: ['a', 'b', 'c'], required: true },
        hour: { type: 'integer', min: 1, max: 4, required: true },
        other: { type: 'relation', relation: 'manyToOne', target: 'api::other.other' },
        from: 'integer',
        until: { type: 'integer', default: 0 },
        closed: { type: 'boolean', writeOnce: true, readOnly: true },
      },
      unique: [
        ['room', 'hour'],
        ['from', 'other'],
      ],
      checks: [{ that: 'until > from' }, { that: 'from != 50 || closed' }],
    }
    const other = { attributes: { name: 'string' } }
    const entries = await made(
      { thing: slot, other },
      { thing: 11, other: 4 },
      { things: [{ room: 'b', hour: 2 }] },
    )
    expect(entries).toHaveLength(12)
    expect(new Set(entries.map(({ room, hour }) => `${room} ${hour}`)).size).toBe(12)
    for (const { from, until } of entries.slice(1)) expect(Number(until)).toBeGreaterThan(Number(from))
  })

  test('more than there can be are reported once, with the rule', async () => {
    const room = { type: 'enumeration', enum: ['a', 'b'] }
    const size = { type: 'enumeration', enum: [1, 2] }
    await expect(
      made({ thing: { attributes: { room, size }, unique: [['room', 'size']] } }, { thing: 2000 }),
    ).rejects.toThrow(
      /^error\[SEED001\]: so many entries of api::thing\.thing .*: room and size must be unique together\n(?![\s\S]*SEED001)/,
    )
    await expect(
      made({ thing: { attributes: { room: { ...room, unique: true, required: true } } } }, { thing: 5 }),
    ).rejects.toThrow(/api::thing\.thing .*: "room": This attribute must be unique/)
    await expect(
      made({ thing: { attributes: { size: 'integer' }, checks: [{ that: 'size > size' }] } }, { thing: 5 }),
    ).rejects.toThrow(/api::thing\.thing .*size > size does not hold/)
  })
})
