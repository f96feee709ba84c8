// The small library that the tables of the planner and of the SQL compiler ask, and what of a question they can say.

import { createPermissions, everyPermission } from '../../../src/access/principal.ts'
import type { Access } from '../../../src/model/access.ts'
import { buildModel } from '../../../src/model/build-model.ts'
import type { ContentType } from '../../../src/model/content-type.ts'
import { planFind, planFindOne } from '../../../src/plan/plan-read.ts'
import type { Query } from '../../../src/plan/read-plan.ts'
import { enablePlugins, getModelParts } from '../../../src/plugins/plugin-host.ts'
import { parseParams } from '../../../src/rest/parse-params.ts'
import { configOf } from '../model/config-of.ts'

const to = (relation: string, name: string, side: object = {}) => ({
  type: 'relation',
  relation,
  target: `api::${name}.${name}`,
  ...side,
})

const config = configOf({
  contentTypes: {
    book: {
      attributes: {
        title: { type: 'string', required: true, maxLength: 20 },
        slug: { type: 'uid', targetField: 'title' },
        pages: { type: 'integer', min: 1 },
        copies: { type: 'biginteger' },
        price: { type: 'decimal' },
        lent: { type: 'boolean', default: false },
        printed: { type: 'date' },
        acquired: { type: 'datetime' },
        mood: { type: 'enumeration', enum: ['glad', 'sad'] },
        isbn: { type: 'string', unique: true },
        notes: { type: 'json' },
        secret: { type: 'string', private: true },
        author: to('manyToOne', 'author', { inversedBy: 'books' }),
        tags: to('manyToMany', 'tag', { inversedBy: 'books' }),
        cover: { type: 'media', multiple: false },
        seo: { type: 'component', component: 'shared.seo' },
        chapters: { type: 'component', component: 'shared.chapter', repeatable: true, max: 3 },
        body: { type: 'dynamiczone', components: ['shared.seo', 'shared.chapter'] },
        about: { type: 'relation', relation: 'morphToMany' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        pin: { type: 'password', minLength: 4 },
        books: to('oneToMany', 'book', { mappedBy: 'author' }),
      },
    },
    tag: {
      options: { draftAndPublish: true },
      attributes: {
        label: { type: 'string', required: true },
        books: to('manyToMany', 'book', { mappedBy: 'tags' }),
      },
    },
    page: {
      pluginOptions: { i18n: { localized: true } },
      options: { draftAndPublish: true },
      attributes: { title: { type: 'string' } },
    },
  },
  components: {
    'shared.seo': { attributes: { text: { type: 'string', required: true } } },
    'shared.chapter': {
      attributes: { heading: { type: 'string' }, first: to('oneToOne', 'tag') },
    },
  },
  plugins: {
    upload: true,
    i18n: { enabled: true, config: { locales: ['en', 'de'], defaultLocale: 'en' } },
  },
} as never)

const built = buildModel(config, getModelParts(enablePlugins(config)))
if (!built.ok) throw new Error(JSON.stringify(built.diagnostics))
export const model = built.value

export function typeOf(name: string): ContentType {
  const type = [...model.contentTypes.values()].find(({ uid }) => uid === `api::${name}.${name}`)
  if (type === undefined) throw new Error(`no content-type ${name}`)
  return type
}

const LIMITS = { defaultLimit: 25, maxLimit: 100, withCount: true }

/**
 * The first line names the content-type, `book`, or one entry of it, `book 7`, and who asks: `book for book.find
 * tag.find`, who sees drafts with `drafts` among them. Everybody else may do everything. The others are the parameters.
 */
export function questionOf(lines: readonly string[]): Query {
  const [, name = '', id, caller] = /^(\w+)(?: (\d+))?(?: for (.+))?$/.exec(lines[0] ?? '') ?? []
  const params = parseParams(lines.slice(1).join('&'), { strict: true })
  const access = caller === undefined ? everyPermission : accessOf(caller)
  if (id !== undefined) return planFindOne(typeOf(name), Number(id), params, access, false)
  return planFind(typeOf(name), params, access, LIMITS)
}

export function accessOf(caller: string): Access {
  const words = caller.split(' ')
  const actions = words.map((word) => word.replace(/^(\w+)\.(\w+)$/, 'api::$1.$1.$2'))
  return createPermissions(new Set(actions), words.includes('drafts'))
}

/** An answer to the client is an outcome, too. */
export function outcomeOf(make: () => string): string {
  try {
    return make()
  } catch (error) {
    if (error instanceof Error && 'status' in error)
      return `${String(error.status)} ${error.name}: ${error.message}`
    throw error
  }
}

/** JSON, with what it has no form for. */
export function shown(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each))
}
