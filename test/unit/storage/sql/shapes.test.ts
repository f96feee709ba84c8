// SQL is kept by the shape of a plan: plans of one shape have to be the same SQL, and read the same slots.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPermissions, everyPermission } from '../../../../src/access/principal.ts'
import { checkConfig } from '../../../../src/app/check-config.ts'
import { ApiError } from '../../../../src/lib/errors/api-error.ts'
import { getFacts } from '../../../../src/plan/plan-facts.ts'
import { planFind, planFindOne } from '../../../../src/plan/plan-read.ts'
import { parseParams } from '../../../../src/rest/parse-params.ts'
import { MemoryDatabase } from '../../../../src/storage/drivers/memory/memory-database.ts'
import { buildLayout } from '../../../../src/storage/sql/build-layout.ts'
import { compileRead } from '../../../../src/storage/sql/compile-read.ts'
import type { PopulateStatements } from '../../../../src/storage/sql/read-statements.ts'

const drafts = { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } }
const CONFIG = {
  contentTypes: {
    page: {
      ...drafts,
      attributes: {
        a: 'string',
        b: 'integer',
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'pages' },
        one: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' },
        file: { type: 'media', multiple: true },
        box: { type: 'component', component: 'ui.box' },
        zone: { type: 'dynamiczone', components: ['ui.box', 'ui.bag'] },
        any: { type: 'relation', relation: 'morphToMany' },
      },
    },
    tag: {
      ...drafts,
      attributes: {
        a: 'string',
        pages: { type: 'relation', relation: 'manyToMany', target: 'api::page.page', mappedBy: 'tags' },
      },
    },
  },
  components: {
    'ui.box': { attributes: { a: 'string', b: 'integer' } },
    'ui.bag': { attributes: { a: 'string' } },
  },
  plugins: { i18n: { config: { locales: ['en', 'de'], defaultLocale: 'en' } } },
}

const callers = [
  everyPermission,
  createPermissions(new Set(['api::page.page.find', 'api::tag.tag.find']), false),
  createPermissions(new Set(['api::page.page.find']), false),
]

const member = fc.constantFrom('tags', 'one', 'file', 'box', 'zone', 'any', 'localizations', '*')
const attribute = fc.constantFrom(
  'a',
  'b',
  'id',
  'tags',
  'tags.a',
  'one.a',
  'one.pages.b',
  'box.a',
  'publishedAt',
)
const operator = fc.constantFrom(
  ...[
    '[$eq]',
    '[$ne]',
    '[$eqi]',
    '[$in][]',
    '[$notIn][]',
    '[$null]',
    '[$notNull]',
    '[$lt]',
    '[$lte]',
    '[$contains]',
  ],
)
const bracketed = (path: string): string => `[${path.replaceAll('.', '][')}]`
const condition = fc
  .tuple(attribute, operator, fc.constantFrom('0', '1', 'true'))
  .map(([path, name, value]) => `${bracketed(path)}${name}=${value}`)
const level = fc.oneof(
  condition.map((text) => `[filters]${text}`),
  condition.map((text) => `[filters][$or][0]${text}`),
  condition.map((text) => `[filters][$not]${text}`),
  attribute.map((path) => `[sort]=${path}`),
  attribute.map((path) => `[sort]=${path}:desc`),
  fc.constantFrom('a', 'id', 'b').map((name) => `[fields][]=${name}`),
  fc.constantFrom('live', 'preview').map((state) => `[publicationState]=${state}`),
  fc.constantFrom(...['[limit]=1', '[limit]=2', '[start]=1', '[count]=true', '[on][ui.box]=true', '=true']),
)
const parameter = fc.oneof(
  fc.tuple(member, level).map(([name, text]) => `populate[${name}]${text}`),
  fc
    .tuple(member, member, level)
    .map(([name, inner, text]) => `populate[${name}][populate][${inner}]${text}`),
  condition.map((text) => `filters${text}`),
  condition.map((text) => `filters[$and][0]${text}`),
  attribute.map((path) => `sort=${path}`),
  fc.constantFrom(
    'locale=de',
    'locale=all',
    'publicationState=preview',
    'pagination[limit]=1',
    'fields=a',
    '_q=x',
  ),
)

test('plans of one shape are the same SQL', async () => {
  const { model } = await checkConfig({ object: CONFIG }, { env: {} })
  const page = model?.contentTypes.get('api::page.page')
  if (model === undefined || page === undefined)
    throw new Error('the configuration of this test is not right')
  const layout = buildLayout(model)
  const database = await MemoryDatabase.open()
  const { dialect } = database
  const known = new Map<string, unknown>()
  let met = 0
  fc.assert(
    fc.property(
      fc.array(parameter, { maxLength: 3 }),
      fc.constantFrom(...callers),
      fc.boolean(),
      (parameters, access, one) => {
        const query = parameters.join('&')
        try {
          const params = parseParams(query, { strict: true })
          const limits = { defaultLimit: 25, maxLimit: 100, withCount: true }
          const { plan } = one
            ? planFindOne(page, 1, params, access, true)
            : planFind(page, params, access, limits)
          const { rows, count, populate } = compileRead(plan, layout, dialect)
          const compiled = [rows, count, ...textsOf(populate)]
          const shape = getFacts(plan).key
          if (known.has(shape)) met += 1
          else known.set(shape, simplified(compiled))
          expect({ query, compiled: simplified(compiled) }).toEqual({ query, compiled: known.get(shape) })
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
        }
      },
    ),
    { numRuns: 3000 },
  )
  await database.close()
  expect(met).toBeGreaterThan(300)
  expect(known.size).toBeGreaterThan(300)
})

type Compiled = Parameters<typeof simplified>[0][number]

function textsOf(populate: readonly PopulateStatements[]): Compiled[] {
  return populate.flatMap(({ levels, present }) => [
    present,
    ...levels.flatMap((each) => [each.rows, each.few, ...textsOf(each.populate)]),
  ])
}

/** The text, and which values stand in it. */
function simplified(
  statements: readonly (
    | {
        readonly statement: { readonly text: string }
        readonly parameters: readonly { readonly slot: number }[]
      }
    | undefined
  )[],
): unknown {
  return statements.map(
    (each) => each && { text: each.statement.text, slots: each.parameters.map(({ slot }) => slot) },
  )
}
