// Generates texts by the names of an attribute and its schema, in a locale.

import type { Faker } from '@faker-js/faker'

type Make = (faker: Faker) => string

/** Names are compared in lower case, without hyphens and underscores. */
const byName: readonly (readonly [name: RegExp, make: Make])[] = [
  [/^(first|given)name$/, (faker) => faker.person.firstName()],
  [/^(last|family|sur)name$/, (faker) => faker.person.lastName()],
  [/^(user|login|nick)name$/, (faker) => faker.internet.username()],
  [/^(fullname|author|who|by|speaker|contact)$/, (faker) => faker.person.fullName()],
  [/mail$/, (faker) => faker.internet.exampleEmail()],
  [/(phone|mobile|fax|^tel)/, (faker) => faker.phone.number()],
  [/(url|website|homepage|href|link)$/, (faker) => faker.internet.url()],
  [/colou?r$/, (faker) => faker.color.rgb()],
  [/(city|town)$/, (faker) => faker.location.city()],
  [/country$/, (faker) => faker.location.country()],
  [/(address|street)$/, (faker) => faker.location.streetAddress()],
  [/(zip|postcode|postalcode)$/, (faker) => faker.location.zipCode()],
  [/timezone$/, (faker) => faker.location.timeZone()],
  [/(company|organi[sz]ation|brand)$/, (faker) => faker.company.name()],
  [/(job|profession|occupation)/, (faker) => faker.person.jobTitle()],
  [/(sku|code|isbn|number)$/, (faker) => faker.string.alphanumeric({ length: 8, casing: 'upper' })],
  [/currency$/, (faker) => faker.finance.currencyCode()],
  [/(tag|label|keyword|category|genre)$/, (faker) => faker.lorem.word()],
]

/** The meaning of `name` depends on its schema. */
const getName: readonly (readonly [type: RegExp, make: Make])[] = [
  [
    /(author|user|person|people|member|customer|employee|artist|chef|speaker|student|teacher|guest)/,
    (faker) => faker.person.fullName(),
  ],
  [/(product|item|article)/, (faker) => faker.commerce.productName()],
  [/(company|organi[sz]ation|brand|shop|store|restaurant)/, (faker) => faker.company.name()],
  [/(city|town|place|venue|location)/, (faker) => faker.location.city()],
  [/country/, (faker) => faker.location.country()],
  [/(tag|label|category|genre)/, (faker) => faker.lorem.word()],
]

export function makeFakeLine(faker: Faker, attribute: string, schema: string): string {
  const name = attribute.toLowerCase().replaceAll(/[-_]/g, '')
  const named = byName.find(([pattern]) => pattern.test(name))
  if (named !== undefined) return named[1](faker)
  const owner = name === 'name' ? getName.find(([pattern]) => pattern.test(schema)) : undefined
  if (owner !== undefined) return owner[1](faker)
  return faker.lorem.sentence({ min: 2, max: 5 }).replace(/\.$/, '')
}

/** For attributes whose name does not tell their format. */
export function listFakeFormats(faker: Faker): readonly string[] {
  const formats = byName.map(([, make]) => make(faker))
  return [
    ...formats,
    `/${faker.lorem.slug(2)}`,
    faker.lorem.slug(2),
    faker.string.alpha(8),
    faker.string.numeric(8),
  ]
}

export function makeFakeParagraphs(faker: Faker, count: number): string {
  return Array.from({ length: count }, () => faker.lorem.paragraph({ min: 2, max: 4 })).join('\n\n')
}
