// What a rule hides leaves no trace in the answers of tools: two servers whose content differs only in what the caller may not
// see answer alike, byte for byte, and ask the database the same statements.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { configOf, DOC, hiddenIds, MOMENT, openIds, TOKEN } from '../differential/hidden-contents.ts'
import { oneOf, type Random, randomOf, whole } from '../differential/rule-worlds.ts'
import { connectMcp, type McpClient } from '../support/mcp-client.ts'
import { recorded } from '../support/record-statements.ts'

vi.mock('../../src/storage/open-database.ts', async (original) => {
  const { wrapOpen } = await import('../support/record-statements.ts')
  return wrapOpen(await original())
})

type Given = Readonly<Record<string, unknown>>

interface Call {
  readonly type: string
  readonly action: string
  readonly given: Given
}

const servers: Cms[] = []
const clients: McpClient[] = []
beforeAll(async () => {
  // A write has the same moment on both servers.
  vi.useFakeTimers({ now: Date.parse(MOMENT), toFake: ['Date'] })
  for (const hidden of [true, false]) {
    const config = configOf(hidden)
    const cms = await createCms({ ...config, plugins: { ...config.plugins, mcp: true } }, { env: {} })
    servers.push(cms)
    clients.push(await connectMcp(cms, TOKEN))
  }
})
afterAll(async () => {
  vi.useRealTimers()
  for (const cms of servers) await cms.close()
})

const missing = (random: Random): number => oneOf(random, [...hiddenIds, 31, 60])

function readOf(random: Random): Call {
  const id = 1 + whole(random, 34)
  const filters = oneOf<Given>(random, [
    { rank: { $gt: whole(random, 4) } },
    { open: false },
    { main: { rank: { $lt: whole(random, 5) } } },
    { $not: { related: { title: oneOf(random, ['a', 'b']) } } },
    { main: { id: { $null: true } } },
    { team: { docs: { id } } },
    { localizations: { id } },
    { id },
  ])
  const list = oneOf<Given>(random, [
    { filters },
    { filters, sort: ['main.rank:desc', 'id'], pagination: { pageSize: 3 } },
    { filters, pagination: { start: whole(random, 9), limit: 3 } },
    { populate: '*', pagination: { page: 1 + whole(random, 3), pageSize: 4 } },
    { populate: { related: { sort: 'main.rank' }, pages: { populate: '*' } }, locale: 'all' },
    { _q: oneOf(random, ['a', 'b']), publicationState: 'preview' },
    { sort: ['nope'] },
    { filters: { nope: id } },
  ])
  return oneOf<Call>(random, [
    { type: 'doc', action: 'find', given: list },
    { type: 'doc', action: 'findOne', given: { id, populate: oneOf(random, ['*', ['main'], 'nope']) } },
    { type: 'doc', action: 'count', given: { filters } },
    {
      type: 'doc',
      action: 'aggregate',
      given: { filters, aggregate: { count: '*', sum: 'rank', max: 'id' }, groupBy: 'title' },
    },
    { type: 'team', action: 'find', given: { populate: { docs: { sort: 'rank' }, about: true } } },
    { type: 'team', action: 'find', given: { sort: 'docs.rank', populate: { docs: { count: true } } } },
    { type: 'team', action: 'aggregate', given: { aggregate: { count: '*' }, groupBy: 'docs.title' } },
    { type: 'page', action: 'find', given: { populate: '*' } },
    {
      type: 'page',
      action: 'find',
      given: { sort: ['pick.rank', 'id'], filters: { docs: { main: { id } } } },
    },
    {
      type: 'page',
      action: 'findOne',
      given: { id: 1 + whole(random, 5), populate: { zone: true, docs: true } },
    },
  ])
}

function writeOf(random: Random): Call {
  const id = missing(random)
  const there = oneOf(random, openIds)
  const data = oneOf<Given>(random, [
    { pick: id },
    { docs: { connect: [id] } },
    { docs: { connect: [{ id: 2, position: { before: id } }] } },
    { about: [{ __type: DOC, id }] },
    { box: { label: 'b', doc: id } },
    { title: 'p', pick: id, unknown: 1 },
    { pick: there },
    { docs: { disconnect: [there] } },
  ])
  return oneOf<Call>(random, [
    { type: 'doc', action: 'update', given: { id, data: { title: 'x' } } },
    { type: 'doc', action: 'delete', given: { id } },
    { type: 'doc', action: 'create', given: { data: { rank: 'no number', related: [id] } } },
    { type: 'doc', action: 'createLocalization', given: { id, data: { locale: 'fr', title: 'x' } } },
    {
      type: 'doc',
      action: 'updateMany',
      given: { filters: { rank: whole(random, 5) }, data: { rank: whole(random, 5) } },
    },
    { type: 'doc', action: 'deleteMany', given: { filters: { id } } },
    { type: 'page', action: 'update', given: { id: 1 + whole(random, 4), data, populate: '*' } },
  ])
}

/** What the answer says, or the error of the protocol. */
async function answer({ client }: McpClient, { type, action, given }: Call): Promise<string> {
  const { tools } = await client.listTools()
  const isByType = tools.every(({ name }) => name.includes('_'))
  const called = isByType
    ? { name: `${type}_${action}`, arguments: { ...given } }
    : { name: action, arguments: { type, ...given } }
  const { content, isError } = await client.callTool(called)
  return JSON.stringify({ content, isError })
}

test('tools say the same, whatever is hidden', async () => {
  const seen = { results: 0, refusals: 0 }
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const random = randomOf(seed)
      const call = random() < 0.7 ? readOf(random) : writeOf(random)
      for (const texts of recorded) texts.length = 0
      const [one, other] = await Promise.all(clients.map((client) => answer(client, call)))
      expect({ call, answer: one }).toEqual({ call, answer: other })
      expect({ call, statements: recorded[0] }).toEqual({ call, statements: recorded[1] })
      seen[one?.includes('"isError":true') ? 'refusals' : 'results'] += 1
    }),
    { numRuns: process.env['LONG'] === '1' ? 1500 : 300 },
  )
  expect(seen).toSatisfy(({ results, refusals }: typeof seen) => results > 100 && refusals > 20)
})

test('there is something to hide, and the descriptions and resources say nothing of it', async () => {
  expect(hiddenIds.length).toBeGreaterThan(5)
  const [there, none] = servers.map((cms) =>
    cms.entries('doc').count({ publicationState: 'preview', locale: 'all' }),
  )
  expect(await there).toBe(Number(await none) + hiddenIds.length)
  const said = clients.map(async ({ client, read }) => [
    await client.listTools(),
    await client.listResources(),
    await read('cms-run://model'),
    await read('cms-run://permissions'),
  ])
  const [one, other] = await Promise.all(said)
  expect(one).toEqual(other)
})
