// Hooks of a write: each once, in order, with the others' changes, all or nothing.

import { beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../../src/access/hash-password.ts'
import { everyPermission } from '../../../src/access/principal.ts'
import { checkConfig } from '../../../src/app/check-config.ts'
import type { ContentType } from '../../../src/model/content-type.ts'
import { everyEntry } from '../../../src/query/find-entries.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { applyMigration } from '../../../src/storage/migrate.ts'
import { buildLayout } from '../../../src/storage/sql/build-layout.ts'
import type { Content } from '../../../src/write/content.ts'
import { createContent } from '../../../src/write/create-content.ts'
import type { Lifecycle, WriteEvent } from '../../../src/write/lifecycle.ts'

const CONFIG = {
  contentTypes: {
    note: { attributes: { text: 'string' }, options: { draftAndPublish: true } },
    memo: { attributes: { text: 'string' } },
  },
}
const OPTIONS = { params: { publicationState: 'preview' as const }, access: everyPermission, by: undefined }

let content: Content
let note: ContentType
let memo: ContentType
let told: string[]
let own: { -readonly [K in keyof Lifecycle]: Lifecycle[K] }

beforeEach(async () => {
  const { model } = await checkConfig({ object: CONFIG }, { env: {} })
  if (model === undefined) throw new Error('the configuration of this test is not right')
  const layout = buildLayout(model)
  const database = await MemoryDatabase.open()
  await applyMigration(database, layout, { destructive: 'refuse' })
  const tell = (name: string, { action, id, publishes }: WriteEvent): void => {
    told.push([name, action, id ?? '-', publishes ?? ''].join(' ').trim())
  }
  told = []
  own = {
    appliesTo: (type) => type.singularName === 'note',
    prepare: (event) => tell('prepare', event),
    *before(event, _plan, within) {
      yield* within.find(note, {})
      tell('before', event)
    },
    *after(event, _plan, within) {
      const notes = yield* within.find(note, {})
      tell(`after(${notes.length})`, event)
    },
    finish: (event, result) => tell(`finish(${String(result['text'])})`, event),
    committed: (event) => tell('committed', event),
  }
  content = createContent({ model, layout, database, hashPassword, now: Date.now, lifecycles: [own] })
  note = typeOf(model.contentTypes, 'note')
  memo = typeOf(model.contentTypes, 'memo')
})

function typeOf(types: ReadonlyMap<string, ContentType>, name: string): ContentType {
  const type = types.get(`api::${name}.${name}`)
  if (type === undefined) throw new Error(name)
  return type
}

test('each hook runs once, in order', async () => {
  await content.create(note, { text: 'a', publishedAt: null }, OPTIONS)
  await content.update(note, 1, { text: 'b', publishedAt: new Date().toISOString() }, OPTIONS)
  await content.delete(note, 1, OPTIONS)
  expect(told).toEqual([
    'prepare create -',
    'before create -',
    'after(1) create 1',
    'finish(a) create 1',
    'committed create 1',
    'prepare update 1 publish',
    'before update 1 publish',
    'after(1) update 1 publish',
    'finish(b) update 1 publish',
    'committed update 1 publish',
    'prepare delete 1',
    'before delete 1',
    'after(0) delete 1',
    'finish(b) delete 1',
    'committed delete 1',
  ])
})

test('other content-types and seeds run none', async () => {
  await content.create(memo, { text: 'a' }, OPTIONS)
  await content.seed([{ type: note, data: { id: 1, text: 'a' } }])
  expect(told).toEqual([])
})

test('what prepare puts in the place of the data is written', async () => {
  own.prepare = async (event) => {
    event.data = { ...event.data, text: 'changed' }
  }
  await content.create(note, { text: 'a' }, OPTIONS)
  expect(told).toContain('finish(changed) create 1')
})

test('a write that is refused leaves nothing and is not told as done', async () => {
  own.after = function* (_event, _plan, within) {
    yield* within.find(note, {})
    throw new Error('no')
  }
  await expect(content.create(note, { text: 'a' }, OPTIONS)).rejects.toThrow('no')
  expect(await content.exists(note, everyEntry)).toBe(false)
  expect(told).toEqual(['prepare create -', 'before create -'])
})

test('hooks of an entry that does not exist do not run', async () => {
  await expect(content.update(note, 9, { text: 'a' }, OPTIONS)).rejects.toThrow('Not Found')
  await expect(content.delete(note, 9, OPTIONS)).rejects.toThrow('Not Found')
  expect(told).toEqual([])
})
