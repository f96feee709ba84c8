// Calls of tools at 200 content-types leave nothing in memory.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const TYPES = 200
/** Fills what is kept for each content-type, and the history of requests. */
const FIRST_CALLS = 4_000
const CALLS = process.env['LONG'] === '1' ? 10_000 : 2_000
/** For each call: the smallest message that stays has 400. */
const MAX_GROWTH_BYTES = 250
const TOKEN = 'a-token-of-a-test-with-everything-0001'

async function openMany(): Promise<Cms> {
  const cms = await createCms(
    {
      plugins: { mcp: true },
      contentTypes: Object.fromEntries(
        Array.from({ length: TYPES }, (_, index) => [
          `type-${index}`,
          { attributes: { title: { type: 'string', maxLength: 20 }, count: 'integer', body: 'text' } },
        ]),
      ),
      auth: { apiTokens: [{ name: 'full', type: 'full-access', token: TOKEN }] },
    },
    { env: {} },
  )
  for (let index = 0; index < TYPES; index += 1) await cms.entries(`type-${index}`).create({ title: 'x' })
  return cms
}

const NAMES = ['find', 'count', 'update', 'create', 'findOne', 'describe', 'nothing', 'aggregate']

async function call(cms: Cms, number: number): Promise<void> {
  const type = `type-${number % TYPES}`
  const round = Math.floor(number / TYPES)
  const name = NAMES[round % NAMES.length] ?? 'find'
  const given: Readonly<Record<string, object>> = {
    find: { filters: { count: { $lt: round } } },
    count: { filters: { title: `x${round}` } },
    update: { id: 1, data: { count: number } },
    // Refused: entries would stay in memory rightly.
    create: { data: { title: `much too long a title ${number}`, [`wrong${number % 7}`]: 1 } },
    findOne: { id: 1 + (round % 2) },
    aggregate: { aggregate: { sum: 'count' } },
  }
  const isModern = number % 2 === 0
  const response = await cms.fetch('/mcp', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${TOKEN}`,
      ...(isModern && {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      }),
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: number, method: 'tools/call' },
      params: {
        ...{ name, arguments: { type, ...given[name] } },
        ...(isModern && {
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        }),
      },
    }),
  })
  const text = await response.text()
  if (response.status !== 200 || !text.includes('"content":')) throw new Error(`${name}: ${text}`)
}

async function measureHeap(): Promise<number> {
  // What weak references name stays until the turn of the event loop ends.
  for (let count = 0; count < 2; count += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

test(`${CALLS} calls at ${TYPES} content-types`, async () => {
  const cms = await openMany()
  try {
    for (let number = 0; number < FIRST_CALLS; number += 1) await call(cms, number)
    const before = await measureHeap()
    for (let number = FIRST_CALLS; number < FIRST_CALLS + CALLS; number += 1) await call(cms, number)
    expect((await measureHeap()) - before).toBeLessThan(CALLS * MAX_GROWTH_BYTES)
  } finally {
    await cms.close()
  }
})
