// Many entries at once, nested ones and batches beside the same operations one after the other: same entries, same events, same
// hooks, same refusals. The first run over the tested database, the others in memory, where they are put back.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Cms, createCms, type LifecycleEvent } from '../../src/index.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { oneOf, randomOf, whole } from './rule-worlds.ts'

const long = process.env['LONG'] === '1'
const WORLDS = long ? 30 : 3
const STEPS = long ? 60 : 25

const TITLES = ['a', 'b', 'c', 'd', 'e', 'f', 'too long a title', '']
const WHERE = 'count < 4'
const CHECK = 'count != 3'
const fields = ['title', 'count', 'tags', 'notes', 'owner']
const rules = {
  create: { check: CHECK, set: { owner: '"ruled"' } },
  update: { where: WHERE, check: CHECK, fields },
  delete: { where: WHERE },
}
const options = { draftAndPublish: false }

const config = {
  events: true,
  contentTypes: {
    doc: {
      options,
      attributes: {
        title: { type: 'string', required: true, unique: true, maxLength: 6 },
        count: { type: 'integer', min: 0, max: 5 },
        owner: 'string',
        tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
        notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note', mappedBy: 'doc' },
      },
    },
    tag: { options, attributes: { name: { type: 'string', required: true, maxLength: 6 } } },
    note: {
      options,
      attributes: {
        text: { type: 'string', required: true },
        doc: { type: 'relation', relation: 'manyToOne', target: 'api::doc.doc', inversedBy: 'notes' },
      },
    },
  },
  auth: {
    apiTokens: [
      {
        name: 'open',
        type: 'custom',
        token: 'open-0123456789abcdef',
        permissions: [
          'doc.*',
          'tag.*',
          'note.*',
          'doc.createMany',
          'doc.updateMany',
          'doc.deleteMany',
          'doc.upsertMany',
        ],
      },
      {
        name: 'ruled',
        type: 'custom',
        token: 'ruled-0123456789abcdef',
        permissions: [
          ...['doc.read', 'tag.read', 'note.*'],
          { 'doc.create': rules.create },
          { 'doc.createMany': rules.create },
          { 'doc.update': rules.update },
          { 'doc.updateMany': rules.update },
          { 'doc.delete': rules.delete },
          { 'doc.deleteMany': rules.delete },
        ],
      },
    ],
  },
}

interface Instance {
  readonly cms: Cms
  readonly hooks: string[]
  readonly events: string[]
}

async function open(dialect: string, database: TestDatabase['options']): Promise<Instance> {
  const hooks: string[] = []
  const events: string[] = []
  const note = ({ action, model, params }: LifecycleEvent): void => {
    const { title, name, text } = params.data
    hooks.push(`${action} ${model.singularName} ${String(title ?? name ?? text ?? '')}`)
  }
  const all = {
    beforeCreate: note,
    afterCreate: note,
    beforeUpdate: note,
    afterUpdate: note,
    afterDelete: note,
  }
  const lifecycles = { doc: all, tag: all, note: all }
  const cms = await createCms({ ...config, dialect }, { env: {}, lifecycles, ...database })
  await cms.on('*', ({ action, type }) => events.push(`${action} ${type}`))
  return { cms, hooks, events }
}

interface Sent {
  readonly status: number
  readonly data: unknown
  readonly errors: readonly unknown[]
}

describe.each(
  (['strapi-4', 'strapi-5'] as const).flatMap((dialect) =>
    Array.from({ length: WORLDS }, (_, index) => [dialect, index + 1] as const),
  ),
)('%s, world %i', (dialect, seed) => {
  const random = randomOf(seed)
  let many: Instance
  let single: Instance
  let database: TestDatabase

  beforeAll(async () => {
    database = await openTestDatabase()
    many = await open(dialect, database.options)
    single = await open(dialect, {})
    for (const { cms, events } of [many, single]) {
      for (const name of ['x', 'y']) await cms.entries('tag').create({ name })
      await vi.waitFor(() => expect(events).toHaveLength(2), { timeout: 10_000, interval: 5 })
    }
  })
  afterAll(async () => {
    await many.cms.close()
    await single.cms.close()
    await database.drop()
  })

  const idOf = (entry: Record<string, unknown>): string =>
    String(dialect === 'strapi-4' ? entry['id'] : entry['documentId'])

  async function send(
    { cms }: Instance,
    who: string,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Sent> {
    const response = await cms.fetch(`/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${who}-0123456789abcdef` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = text === '' ? { data: null } : (JSON.parse(text) as Record<string, unknown>)
    const error = json['error'] as
      | { message: string; name: string; details: { errors?: readonly unknown[] } }
      | undefined
    const whole = error === undefined ? [] : [{ path: [], message: error.message, name: error.name }]
    return { status: response.status, data: json['data'], errors: error?.details.errors ?? whole }
  }

  async function contentOf({ cms }: Instance): Promise<unknown> {
    const docs = await cms
      .entries('doc')
      .findMany({ populate: { tags: { sort: 'name' }, notes: { sort: 'text' } } as never, sort: 'title' })
    const tags = await cms.entries('tag').findMany({ sort: 'name' })
    const notes = await cms.entries('note').count({})
    const names = (list: unknown, key: string): unknown =>
      (list as Record<string, unknown>[]).map((one) => one[key])
    return {
      docs: docs.map(({ title, count, owner, tags: own, notes: its }) => ({
        title,
        count,
        owner,
        tags: names(own, 'name'),
        notes: names(its, 'text'),
      })),
      tags: names(tags, 'name'),
      notes,
    }
  }

  async function find(instance: Instance, filters: Record<string, unknown>): Promise<readonly string[]> {
    const found = await instance.cms.entries('doc').findMany({ filters, sort: 'id' })
    return found.map(idOf)
  }

  /** Entries of each instance have their own ids. */
  type Step = (instance: Instance) => Promise<Sent>

  interface Question {
    readonly what: string
    /** At once. */
    readonly whole: () => Promise<Sent>
    /** One after the other. */
    readonly steps: () => Promise<readonly Step[]>
  }

  const dataOf = (): Record<string, unknown> => ({
    ...(random() < 0.95 && { title: oneOf(random, TITLES) }),
    ...(random() < 0.8 && { count: whole(random, 7) }),
  })
  const listOf = <T>(make: () => T): readonly T[] => Array.from({ length: 1 + whole(random, 4) }, make)

  function question(who: string): Question {
    const filters = oneOf<Record<string, unknown>>(random, [
      { count: { $gte: whole(random, 5) } },
      { title: oneOf(random, TITLES) },
      {},
    ])
    const create =
      (data: unknown): Step =>
      (instance) =>
        send(instance, who, 'POST', 'docs', { data })
    switch (whole(random, 6)) {
      case 0: {
        const data = listOf(dataOf)
        return {
          what: `createMany ${JSON.stringify(data)}`,
          whole: () => send(many, who, 'POST', 'docs/actions/create-many', { data }),
          steps: async () => data.map(create),
        }
      }
      case 1: {
        const data = { count: whole(random, 7), ...(random() < 0.1 && { title: oneOf(random, TITLES) }) }
        return {
          what: `updateMany ${JSON.stringify({ filters, data })}`,
          whole: () => send(many, who, 'POST', 'docs/actions/update-many', { filters, data }),
          steps: async () =>
            (await allowed(single, who, filters)).map(
              (id) => (instance) => send(instance, who, 'PUT', `docs/${id}`, { data }),
            ),
        }
      }
      case 2:
        return {
          what: `deleteMany ${JSON.stringify(filters)}`,
          whole: () => send(many, who, 'POST', 'docs/actions/delete-many', { filters }),
          steps: async () =>
            (await allowed(single, who, filters)).map(
              (id) => (instance) => send(instance, who, 'DELETE', `docs/${id}`),
            ),
        }
      case 3: {
        const data = listOf(() => ({ title: oneOf(random, TITLES), count: whole(random, 7) }))
        return {
          what: `upsertMany ${JSON.stringify(data)}`,
          whole: () => send(many, 'open', 'POST', 'docs/actions/upsert-many', { on: 'title', data }),
          steps: async () =>
            data.map((one) => async (instance) => {
              const [id] = await find(instance, { title: one.title })
              return id === undefined
                ? send(instance, 'open', 'POST', 'docs', { data: one })
                : send(instance, 'open', 'PUT', `docs/${id}`, { data: one })
            }),
        }
      }
      case 4: {
        const operations = listOf(dataOf)
        return {
          what: `batch ${JSON.stringify(operations)}`,
          whole: () =>
            send(many, who, 'POST', '_batch', {
              operations: operations.map((data) => ({ operation: 'doc.create', data })),
            }),
          steps: async () => operations.map(create),
        }
      }
      default: {
        const tags = listOf(() => (random() < 0.9 ? { name: oneOf(random, ['p', 'q', 'too long']) } : {}))
        const notes = listOf(() => (random() < 0.9 ? { text: oneOf(random, ['m', 'n']) } : {}))
        const data = dataOf()
        return {
          what: `nested ${JSON.stringify({ data, tags, notes })}`,
          whole: () =>
            send(many, who, 'POST', 'docs', {
              data: { ...data, tags: { create: tags }, notes: { create: notes } },
            }),
          steps: async () => {
            const made: string[] = []
            let doc: string | undefined
            const keep = (into: (id: string) => void, sent: Sent): Sent => {
              if (sent.status < 300) into(idOf(sent.data as Record<string, unknown>))
              return sent
            }
            return [
              ...tags.map(
                (tag): Step =>
                  async (instance) =>
                    keep((id) => made.push(id), await send(instance, who, 'POST', 'tags', { data: tag })),
              ),
              async (instance) =>
                keep(
                  (id) => {
                    doc = id
                  },
                  await send(instance, who, 'POST', 'docs', { data: { ...data, tags: made } }),
                ),
              ...notes.map(
                (one): Step =>
                  (instance) =>
                    send(instance, who, 'POST', 'notes', {
                      data: { ...one, ...(doc !== undefined && { doc }) },
                    }),
              ),
            ]
          },
        }
      }
    }
  }

  /** The entries that match, in the order of their ids, apart from those that the rule hides. */
  async function allowed(
    instance: Instance,
    who: string,
    filters: Record<string, unknown>,
  ): Promise<readonly string[]> {
    return find(instance, who === 'open' ? filters : { $and: [filters, { count: { $lt: 4 } }] })
  }

  test(`${STEPS} questions`, async () => {
    for (let step = 0; step < STEPS; step++) {
      const who = random() < 0.5 ? 'open' : 'ruled'
      const asked = question(who)
      for (const { hooks, events } of [many, single]) {
        hooks.length = 0
        events.length = 0
      }
      const before = single.cms.snapshot()
      const steps = await asked.steps()
      const whole = await asked.whole()
      const results: Sent[] = []
      for (const each of steps) results.push(await each(single))
      const refused = results.flatMap(({ status }, index) => (status < 300 ? [] : [index]))
      const isBatch = asked.what.startsWith('batch')
      expect({ ...asked, who, ok: whole.status < 300, errors: whole.errors }).toMatchObject({
        who,
        ok: refused.length === 0,
      })
      if (refused.length > 0) {
        single.cms.restore(before)
        // A batch ends with its first refusal.
        const expected = isBatch ? refused.slice(0, 1) : refused
        const messages = expected.flatMap(
          (index) => results[index]?.errors.map((error) => (error as { message: string }).message) ?? [],
        )
        const told = whole.errors.map((error) => (error as { message: string }).message)
        expect({ what: asked.what, told: told.sort() }).toEqual({ what: asked.what, told: messages.sort() })
      } else {
        expect({ what: asked.what, hooks: many.hooks }).toEqual({ what: asked.what, hooks: single.hooks })
        await vi.waitFor(() => expect(many.events.length).toBe(single.events.length), {
          timeout: 10_000,
          interval: 5,
        })
        expect({ what: asked.what, events: many.events }).toEqual({ what: asked.what, events: single.events })
      }
      expect({ what: asked.what, who, content: await contentOf(many) }).toEqual({
        what: asked.what,
        who,
        content: await contentOf(single),
      })
    }
  })
})
