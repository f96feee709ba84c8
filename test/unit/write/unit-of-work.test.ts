// Several writes as one transaction, what follows a commit, and which content-types it has changed.

import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '../../../src/access/hash-password.ts'
import { everyPermission } from '../../../src/access/principal.ts'
import { checkConfig } from '../../../src/app/check-config.ts'
import type { ContentType } from '../../../src/model/content-type.ts'
import { everyEntry } from '../../../src/query/find-entries.ts'
import { parseParams } from '../../../src/rest/parse-params.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { applyMigration } from '../../../src/storage/migrate.ts'
import { buildLayout } from '../../../src/storage/sql/build-layout.ts'
import type { Content, WriteOptions } from '../../../src/write/content.ts'
import { createContent } from '../../../src/write/create-content.ts'
import type { Lifecycle } from '../../../src/write/lifecycle.ts'

const relation = (kind: string, target: string, side: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...side,
})
const CONFIG = {
  plugins: { i18n: { config: { locales: ['en', 'de'] } } },
  components: {
    'page.hero': {
      attributes: {
        heading: 'string',
        promoted: relation('oneToOne', 'tag'),
        tabs: { type: 'component', component: 'page.tab', repeatable: true },
      },
    },
    'page.tab': { attributes: { label: 'string', shows: relation('oneToOne', 'note') } },
  },
  contentTypes: {
    article: {
      attributes: {
        title: 'string',
        tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
        hero: { type: 'component', component: 'page.hero' },
      },
    },
    tag: {
      attributes: {
        name: { type: 'string', unique: true },
        articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
      },
    },
    note: { attributes: { text: 'string', about: { type: 'relation', relation: 'morphToOne' } } },
    dish: {
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        name: { type: 'string', pluginOptions: { i18n: { localized: true } } },
        tags: relation('manyToMany', 'tag'),
      },
    },
    lonely: { attributes: { text: 'string' } },
  },
}
const WRITE: WriteOptions = {
  params: { publicationState: 'preview' },
  access: everyPermission,
  by: undefined,
}

let content: Content
let types: Record<string, ContentType>
let commits: string[][]
let told: string[]
let hooks: { -readonly [K in keyof Lifecycle]: Lifecycle[K] }

beforeEach(async () => {
  const { model, diagnostics } = await checkConfig({ object: CONFIG }, { env: {} })
  if (model === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  const layout = buildLayout(model)
  const database = await MemoryDatabase.open()
  await applyMigration(database, layout, { destructive: 'refuse' })
  commits = []
  told = []
  hooks = { appliesTo: ({ singularName }) => singularName === 'lonely' }
  content = createContent({
    model,
    layout,
    database,
    hashPassword,
    now: Date.now,
    lifecycles: [hooks],
    onCommit: (changed) => commits.push([...changed].map(({ singularName }) => singularName).sort()),
  })
  types = Object.fromEntries([...model.contentTypes.values()].map((type) => [type.singularName, type]))
})

function type(name: string): ContentType {
  const found = types[name]
  if (found === undefined) throw new Error(name)
  return found
}

async function create(name: string, data: Readonly<Record<string, unknown>>): Promise<number> {
  const { entry } = await content.create(type(name), data, WRITE)
  return Number(entry.row[entry.at])
}

describe('a transaction', () => {
  test('keeps all that was written in it, and is told as one commit', async () => {
    const made = await content.inTransaction(async () => {
      const tag = await create('tag', { name: 'a' })
      expect(await content.exists(type('tag'), parseFilters('name', 'a'))).toBe(true)
      await create('article', { title: 'x', tags: [tag] })
      await create('lonely', { text: 'y' })
      return tag
    })
    expect(await content.count(type('article'), parseFilters('tags][id', String(made)))).toBe(1)
    expect(commits).toEqual([['article', 'lonely', 'tag']])
  })

  test('that fails leaves nothing and tells nothing', async () => {
    hooks.committed = () => void told.push('committed')
    const failing = content.inTransaction(async () => {
      await create('tag', { name: 'a' })
      await create('lonely', { text: 'y' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    for (const name of ['tag', 'lonely']) expect(await content.exists(type(name), everyEntry)).toBe(false)
    expect([commits, told]).toEqual([[], []])
  })

  test('a write that is refused within one can be passed over', async () => {
    await content.inTransaction(async () => {
      await create('tag', { name: 'a' })
      await expect(create('tag', { name: 'a' })).rejects.toThrow('unique')
      await create('tag', { name: 'b' })
    })
    expect(await content.count(type('tag'), everyEntry)).toBe(2)
    expect(commits).toEqual([['tag']])
  })

  test('one within another that fails is undone alone', async () => {
    await content.inTransaction(async () => {
      await create('lonely', { text: 'kept' })
      const inner = content.inTransaction(async () => {
        await create('tag', { name: 'gone' })
        throw new Error('no')
      })
      await expect(inner).rejects.toThrow('no')
    })
    expect(await content.exists(type('tag'), everyEntry)).toBe(false)
    expect(commits).toEqual([['lonely']])
  })

  test('what may only follow a commit waits for that of the whole', async () => {
    hooks.committed = ({ id }) => void told.push(`committed ${id}`)
    await content.inTransaction(async () => {
      await create('lonely', { text: 'a' })
      await create('lonely', { text: 'b' })
      told.push('end of the task')
    })
    expect(told).toEqual(['end of the task', 'committed 1', 'committed 2'])
  })

  test('what is not waited for belongs to none', async () => {
    let later: Promise<number> | undefined
    let go = (): void => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    await content.inTransaction(async () => {
      await create('lonely', { text: 'a' })
      later = gate.then(() => create('tag', { name: 'later' }))
    })
    go()
    await later
    expect(commits).toEqual([['lonely'], ['tag']])
  })

  test('of a hook of users: what it writes is undone with the write, and so is what was to follow', async () => {
    hooks.appliesTo = ({ singularName }) => singularName === 'lonely' || singularName === 'tag'
    hooks.finish = async ({ type: { singularName } }) => {
      if (singularName !== 'lonely') return
      await create('tag', { name: 'by the hook' })
      throw new Error('no')
    }
    hooks.committed = ({ type: { singularName } }) => void told.push(singularName)
    await expect(create('lonely', { text: 'a' })).rejects.toThrow('no')
    expect(await content.exists(type('tag'), everyEntry)).toBe(false)
    expect([commits, told]).toEqual([[], []])
  })
})

describe('the content-types that a commit has changed', () => {
  let tag: number
  let article: number
  let dish: number

  beforeEach(async () => {
    tag = await create('tag', { name: 'a' })
    article = await create('article', { title: 'x', hero: { promoted: tag } })
    dish = await create('dish', { name: 'soup', tags: [tag], locale: 'en' })
    commits.length = 0
  })

  test.each<[what: string, write: () => Promise<unknown>, changed: readonly string[]]>([
    ['an entry alone', () => create('lonely', { text: 'a' }), ['lonely']],
    ['values alone', () => content.update(type('article'), article, { title: 'y' }, WRITE), ['article']],
    ['a link', () => content.update(type('article'), article, { tags: [tag] }, WRITE), ['article', 'tag']],
    [
      'the other side of a link',
      () => content.update(type('tag'), tag, { articles: [article] }, WRITE),
      ['article', 'tag'],
    ],
    [
      'a component: its links, and those of components in it',
      () => content.update(type('article'), article, { hero: { heading: 'z' } }, WRITE),
      ['article', 'note', 'tag'],
    ],
    [
      'a link of any kind of entry',
      () => create('note', { about: { __type: 'api::tag.tag', id: tag } }),
      ['article', 'dish', 'file', 'lonely', 'note', 'permission', 'role', 'tag', 'user'],
    ],
    [
      'a localization: what it shares is linked to it, too',
      () => content.localize(type('dish'), dish, { name: 'Suppe', locale: 'de' }, WRITE),
      ['dish', 'tag'],
    ],
    [
      'a delete: whatever has links to the entry',
      () => content.delete(type('dish'), dish, WRITE),
      ['dish', 'note', 'tag'],
    ],
    [
      'a delete of what others link to',
      () => content.delete(type('tag'), tag, WRITE),
      ['article', 'dish', 'note', 'tag'],
    ],
    [
      'a seed',
      () => content.seed([{ type: type('lonely'), data: { id: 9, text: 'a' } }], [{ type: type('dish') }]),
      ['dish', 'lonely', 'note', 'tag'],
    ],
  ])('%s', async (_what, write, changed) => {
    await write()
    expect(commits).toEqual([changed])
  })

  test('what hooks of plugins write is among them', async () => {
    const { planWrite } = await import('../../../src/plan/write/plan-write.ts')
    const question = {
      access: everyPermission,
      trusted: true,
      now: Date.now(),
      mode: 'create',
      draft: false,
    } as const
    hooks.after = function* (_event, _plan, within) {
      yield* within.insert(planWrite(type('tag'), { name: 'b' }, question).plan)
    }
    await create('lonely', { text: 'a' })
    expect(commits).toEqual([['lonely', 'tag']])
  })

  test('a write that is refused changes none', async () => {
    await expect(create('tag', { name: 'a' })).rejects.toThrow('unique')
    expect(commits).toEqual([])
  })
})

describe('reads that no request asked for', () => {
  beforeEach(async () => {
    for (let index = 0; index < 130; index++) await create('lonely', { text: String(index % 2) })
  })

  test('all entries, beyond any page of an API', async () => {
    expect(await content.findAll(type('lonely'), {})).toHaveLength(130)
    expect(await content.findAll(type('lonely'), parseFilters('text', '1'))).toHaveLength(65)
    const page = await content.findAll(type('lonely'), {
      pagination: { kind: 'offset', start: 128, limit: 9 },
    })
    expect(page.map(({ id }) => id)).toEqual([129, 130])
  })

  test('the first, one, how many, whether any', async () => {
    const newest = { sort: [{ path: ['id'], descending: true }] }
    expect(await content.findFirst(type('lonely'), newest)).toMatchObject({ id: 130, text: '1' })
    expect(await content.findFirst(type('tag'), {})).toBeUndefined()
    expect(await content.findOne(type('lonely'), 7, { fields: ['text'] })).toEqual({ id: 7, text: '0' })
    expect(await content.findOne(type('lonely'), 131, {})).toBeUndefined()
    expect(await content.count(type('lonely'), parseFilters('text', '0'))).toBe(65)
    expect(await content.exists(type('lonely'), parseFilters('text', '2'))).toBe(false)
  })
})

function parseFilters(path: string, value: string) {
  return parseParams(`filters[${path}]=${value}`, { strict: true })
}
