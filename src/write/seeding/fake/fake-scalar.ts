// Generates plausible scalar values by type and name, within the attribute's constraints.

import type { Faker } from '@faker-js/faker'
import type { ValueColumn } from '../../../attribute-types/attribute-type.ts'
import { attributeTypes } from '../../../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../../../model/attribute.ts'
import { listFakeFormats, makeFakeLine, makeFakeParagraphs } from './fake-text.ts'

/** A fixed date gives the same values at every start. */
export const REFERENCE = '2025-01-01T00:00:00.000Z'

const MAX_FAULTS = 1

/** Undefined when no valid value is found. */
export function makeFakeScalar(faker: Faker, attribute: ScalarAttribute, schema: string): unknown {
  const { type } = attribute
  const candidates =
    attribute.enum === undefined
      ? listCandidates(faker, attribute, schema)
      : [faker.helpers.arrayElement(attribute.enum)]
  for (const candidate of candidates) {
    const { faults, dateFault } = attributeTypes[type].check(
      attribute,
      attribute.name,
      candidate,
      false,
      MAX_FAULTS,
    )
    if (faults.length === 0 && dateFault === undefined) return candidate
  }
  return undefined
}

function* listCandidates(faker: Faker, attribute: ScalarAttribute, schema: string): Iterable<unknown> {
  const { type, regex } = attribute
  if (type === 'email') yield faker.internet.exampleEmail().toLowerCase()
  if (attributeTypes[type].slug) yield faker.lorem.slug(3)
  if (type === 'blocks') yield blocks(faker)
  const first = byColumn[attributeTypes[type].column](faker, attribute, schema)
  yield first
  if (typeof first !== 'string') return
  yield fitted(faker, first, attribute)
  if (regex === undefined) return
  yield* listFakeFormats(faker)
  // Supports a part of the regex syntax; results are checked later.
  for (let tries = 0; tries < 5; tries++) yield faker.helpers.fromRegExp(regex.replace(/^\^|\$$/g, ''))
}

const byColumn: Readonly<
  Record<ValueColumn, (faker: Faker, attribute: ScalarAttribute, schema: string) => unknown>
> = {
  text: (faker, { type, name }, schema) => {
    if (type === 'richtext') return makeFakeParagraphs(faker, 3)
    if (type === 'password') return faker.internet.password({ length: 16 })
    return type === 'text' && !/^(address|street)$/i.test(name)
      ? makeFakeParagraphs(faker, 1)
      : makeFakeLine(faker, name, schema)
  },
  integer: (faker, attribute) => faker.number.int(getRange(attribute)),
  biginteger: (faker, attribute) => String(faker.number.int(getRange(attribute))),
  float: number,
  decimal: number,
  boolean: (faker) => faker.datatype.boolean(),
  date: (faker, { name }) => moment(faker, name).slice(0, 10),
  time: (faker) =>
    `${String(faker.number.int({ min: 8, max: 21 })).padStart(2, '0')}:${faker.helpers.arrayElement(['00', '15', '30', '45'])}:00`,
  datetime: (faker, { name }) => moment(faker, name),
  json: (faker) => ({ [faker.lorem.word()]: faker.lorem.word() }),
}

function number(faker: Faker, attribute: ScalarAttribute): number {
  return faker.number.float({ ...getRange(attribute), fractionDigits: 2 })
}

/** By name, for attributes without limits. */
const ranges: readonly (readonly [name: RegExp, min: number, max: number])[] = [
  [/year/i, 1990, 2025],
  [/^age$/i, 18, 90],
  [/(rating|stars|score)/i, 1, 5],
  [/^(lat|latitude)$/i, -90, 90],
  [/^(lng|lon|longitude)$/i, -180, 180],
  [/(price|cost|amount|total)/i, 1, 500],
]

function getRange({ name, min, max }: ScalarAttribute): { readonly min: number; readonly max: number } {
  const [, low = 0, high = 100] = ranges.find(([pattern]) => pattern.test(name)) ?? []
  const [from, to] = [
    min === undefined ? undefined : Number(min),
    max === undefined ? undefined : Number(max),
  ]
  const start = from ?? (to === undefined ? low : Math.min(low, to))
  return { min: start, max: to ?? Math.max(high, start + 100) }
}

function moment(faker: Faker, name: string): string {
  const refDate = REFERENCE
  if (/(birth|born)/i.test(name)) return faker.date.birthdate({ refDate }).toISOString()
  if (/^(publ|creat|updat|post|plac|sent|joined)/i.test(name))
    return faker.date.past({ refDate }).toISOString()
  const day = faker.date.between({ from: '2024-07-01T00:00:00.000Z', to: '2025-12-01T00:00:00.000Z' })
  const later = /^(end|until|to$|finish|clos)/i.test(name) ? 400 * 86_400_000 : 0
  return new Date(day.getTime() + later).toISOString()
}

function blocks(faker: Faker): unknown {
  return [1, 2].map(() => ({
    type: 'paragraph',
    children: [{ type: 'text', text: makeFakeParagraphs(faker, 1) }],
  }))
}

function fitted(
  faker: Faker,
  text: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: ScalarAttribute,
): string {
  let made = text.slice(0, maxLength).trimEnd()
  while (made.length < minLength) made = `${made} ${faker.lorem.word()}`.trimStart().slice(0, maxLength)
  return made
}
