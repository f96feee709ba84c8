// Values that a caller may not see change no answer of a tool: private attributes, attributes outside its `fields`, and those
// of entries that random rules hide.

import { afterAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { compiled, docsOf, holds, usersOf } from '../differential/rule-oracle.ts'
import {
  oneOf,
  POOLS,
  type Random,
  randomOf,
  SECRET,
  USERS,
  type World,
  worldOf,
} from '../differential/rule-worlds.ts'
import { signedToken } from '../support/callers.ts'
import { connectMcp, type McpClient } from '../support/mcp-client.ts'
import { modelOf } from '../support/model-of.ts'

const opened: Cms[] = []
afterAll(() => Promise.all(opened.map((cms) => cms.close())))

const MOMENT = new Date()

async function open(config: Readonly<Record<string, unknown>>): Promise<Cms> {
  const plugins = { ...(config['plugins'] as object), mcp: true }
  const cms = await createCms({ ...config, plugins }, { env: {}, clock: () => MOMENT })
  opened.push(cms)
  return cms
}

async function ask({ client }: McpClient, type: string, action: string, given: object): Promise<string> {
  const { tools } = await client.listTools()
  const isByType = tools.every(({ name }) => name.includes('_'))
  const called = isByType
    ? { name: `${type}_${action}`, arguments: { ...given } }
    : { name: action, arguments: { type, ...given } }
  const { content, isError } = await client.callTool(called)
  return JSON.stringify({ content, isError })
}

describe('attributes', () => {
  const TOKEN = 'token-of-the-test'
  const configOf = (random: Random) => ({
    plugins: {},
    contentTypes: {
      note: {
        attributes: {
          title: 'string',
          salary: { type: 'integer', private: true },
          pin: 'password',
          grade: 'integer',
          owner: { type: 'relation', relation: 'manyToOne', target: 'api::note.note' },
        },
      },
    },
    auth: {
      apiTokens: [
        {
          name: 'reader',
          type: 'custom',
          token: TOKEN,
          permissions: [
            { 'note.read': { fields: ['title', 'owner'] } },
            { 'note.update': { fields: ['title'] } },
          ],
        },
      ],
    },
    data: {
      note: Array.from({ length: 12 }, (_, index) => ({
        ...{ id: index + 1, title: oneOf(randomOf(index), ['a', 'b']), owner: ((index * 5) % 12) + 1 },
        ...{ salary: oneOf(random, [1, 2, null]), grade: oneOf(random, [1, 2, null]) },
        pin: oneOf(random, ['one-pin', 'other-pin']),
      })),
    },
  })
  const HIDDEN = ['salary', 'pin', 'grade']
  const calls: readonly (readonly [string, object])[] = [
    ['find', { populate: '*' }],
    ['find', { _q: '1' }],
    ['find', { pagination: { pageSize: 5 } }],
    ...HIDDEN.flatMap((name) => [
      ['find', { filters: { [name]: { $gt: 1 } } }] as const,
      ['find', { filters: { $not: { [name]: { $null: true } } } }] as const,
      ['find', { filters: { owner: { [name]: 1 } } }] as const,
      ['find', { sort: `${name}:desc` }] as const,
      ['find', { sort: `owner.${name}` }] as const,
      ['find', { fields: ['title', name] }] as const,
      ['find', { populate: { owner: { fields: [name], sort: name } } }] as const,
      ['findOne', { id: 3, fields: [name] }] as const,
      ['count', { filters: { [name]: 1 } }] as const,
      ['aggregate', { aggregate: { count: '*', max: name } }] as const,
      ['aggregate', { aggregate: { count: '*' }, groupBy: name }] as const,
      ['update', { id: 2, data: { title: 'c', [name]: 2 } }] as const,
    ]),
    ['update', { id: 2, data: { title: 'c' }, populate: '*' }],
  ]

  test('answers are the same, whatever they hold', async () => {
    const clients: McpClient[] = []
    for (const seed of [1, 2]) clients.push(await connectMcp(await open(configOf(randomOf(seed))), TOKEN))
    let results = 0
    for (const [action, given] of calls) {
      const [one, other] = await Promise.all(clients.map((client) => ask(client, 'note', action, given)))
      expect({ action, given, answer: one }).toEqual({ action, given, answer: other })
      if (!one?.includes('"isError":true')) results += 1
    }
    expect(results).toSatisfy((count: number) => count > 3 && count < calls.length)
  })
})

/** The ids of the documents that a caller may find. */
async function visibleTo(cms: Cms, world: World, who: string): Promise<readonly number[]> {
  const model = await modelOf(world.config)
  const me = (await usersOf(cms)).find(({ username }) => username === who) ?? null
  const role = world.roleOf[who] ?? 'public'
  const variables = { me, role, now: MOMENT.getTime() }
  const rules = world.rules[role]?.map((text) => compiled(model, text, 'where')) ?? []
  const secrets = (world.config['data'] as Data).doc
  return (await docsOf(cms))
    .map((doc) => ({ ...doc, secret: secrets[doc.id - 1]?.['secret'] }))
    .filter((entry) => rules.some((rule) => holds(rule, { entry, variables })))
    .map(({ id }) => id)
}

interface Data {
  readonly doc: readonly (Readonly<Record<string, unknown>> & { readonly id: number })[]
}

const changed = (random: Random, { config, ...world }: World, there: ReadonlySet<number>): World => {
  const data = config['data'] as Data
  const doc = data.doc.map((one) => ({
    ...one,
    secret: oneOf(random, ['s1', 's2', null]),
    ...(!there.has(one.id) && {
      title: oneOf(random, POOLS.title.maybe),
      count: oneOf(random, POOLS.count.maybe),
      price: oneOf(random, POOLS.price.maybe),
      mood: oneOf(random, ['glad', 'sad', null]),
      open: oneOf(random, [true, false, null]),
    }),
  }))
  return { ...world, config: { ...config, data: { ...data, doc } } }
}

const WORLDS = process.env['LONG'] === '1' ? 12 : 3
const ATTEMPTS = 5
const list = { pagination: { page: 1, pageSize: 3 } }
const QUESTIONS: readonly (readonly [string, string, object])[] = [
  ['doc', 'find', { populate: '*', ...list }],
  ['doc', 'find', { sort: ['main.count:desc', 'main.title', 'id'], ...list }],
  ['doc', 'find', { filters: { main: { count: { $gte: 1 } } } }],
  [
    'doc',
    'find',
    { filters: { $not: { related: { open: true } } }, populate: { related: { sort: 'count' } } },
  ],
  ['doc', 'find', { filters: { secret: 's1' } }],
  ['doc', 'find', { sort: 'secret' }],
  ['doc', 'find', { _q: 'b', fields: ['title'] }],
  ['doc', 'count', { filters: { count: { $gt: 0 } } }],
  ['doc', 'aggregate', { aggregate: { count: '*', sum: 'count', avg: 'price' }, groupBy: 'mood' }],
  ['team', 'find', { populate: { docs: { sort: 'count', fields: ['title'] }, about: true } }],
  ['team', 'find', { filters: { docs: { title: 'a' } }, sort: 'docs.count' }],
]

test('answers are the same, whatever entries hold that random rules hide', async () => {
  let compared = 0
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const random = randomOf(seed)
    const world = worldOf(random)
    const cms = await open(world.config)
    for (const [index, who] of USERS.entries()) {
      const there = await visibleTo(cms, world, who)
      if (there.length === 0 || there.length === world.docs) continue
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const next = changed(random, world, new Set(there))
        const other = await open(next.config)
        // Rules may look at hidden entries: then others are visible.
        const isSame = JSON.stringify(await visibleTo(other, next, who)) === JSON.stringify(there)
        if (!isSame) continue
        const token = await signedToken(SECRET, index + 1, MOMENT)
        const clients = await Promise.all([cms, other].map((one) => connectMcp(one, token)))
        for (const [type, action, given] of QUESTIONS) {
          const answers = await Promise.all(clients.map((client) => ask(client, type, action, given)))
          expect({ seed, who, given, answer: answers[0] }).toEqual({ seed, who, given, answer: answers[1] })
        }
        for (const id of Array.from({ length: world.docs }, (_, doc) => doc + 1)) {
          const answers = await Promise.all(
            clients.map((client) => ask(client, 'doc', 'findOne', { id, populate: '*' })),
          )
          expect({ seed, who, id, answer: answers[0] }).toEqual({ seed, who, id, answer: answers[1] })
        }
        compared += 1
        break
      }
    }
  }
  expect(compared).toBeGreaterThan(WORLDS)
})
