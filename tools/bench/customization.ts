// What the sockets for users' code cost those who do not use them: 20 content-types without any, beside the same with
// policies and middlewares on one of them, asked for another; and what they cost where they are. Rounds take turns.

import { type Cms, createCms } from '../../src/index.ts'

const TYPES = 20
const ROUNDS = 60
const ASKED = 100

function config(more: object = {}): Record<string, unknown> {
  const names = Array.from({ length: TYPES }, (_, index) => `thing${String.fromCharCode(97 + index)}`)
  return {
    contentTypes: Object.fromEntries(
      names.map((name) => [name, { attributes: { title: 'string', count: 'integer', open: 'boolean' } }]),
    ),
    plugins: { graphql: true },
    auth: { roles: { public: { permissions: ['api::*.find'] } } },
    data: Object.fromEntries(
      names.map((name) => [
        name,
        Array.from({ length: 25 }, (_, id) => ({ id: id + 1, title: `t${id}`, count: id })),
      ]),
    ),
    ...more,
  }
}

/** Microseconds a request. */
async function round(cms: Cms, ask: (cms: Cms) => Promise<Response>): Promise<number> {
  const started = performance.now()
  for (let index = 0; index < ASKED; index++) await (await ask(cms)).arrayBuffer()
  return ((performance.now() - started) * 1000) / ASKED
}

/** Of the quicker quarter: what other work on the machine adds only makes rounds longer. */
const typical = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 8)] ?? 0

const list = (name: string) => (cms: Cms) => cms.fetch(`/api/${name}`)
const query = (name: string) => (cms: Cms) =>
  cms.fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ ${name}(pagination: { limit: 25 }) { data { id attributes { title count } } } }`,
    }),
  })

const plain = await createCms(config(), { env: {} })
const customized = await createCms(config(), {
  env: {},
  policies: { yes: () => true },
  register: ({ graphql }) =>
    graphql.extension.use({
      resolversConfig: {
        'Query.thingbs': {
          policies: ['yes'],
          middlewares: [(next: (...rest: unknown[]) => unknown, ...rest: unknown[]) => next(...rest)],
        },
      },
    }),
})

for (const [name, ask, one] of [
  ['REST', list('thingas'), list('thingas')],
  ['GraphQL', query('thingas'), query('thingas')],
  ['GraphQL, the one with code', query('thingas'), query('thingbs')],
] as const) {
  await round(plain, ask)
  await round(customized, one)
  const without: number[] = []
  const beside: number[] = []
  for (let index = 0; index < ROUNDS; index++) {
    without.push(await round(plain, ask))
    beside.push(await round(customized, one))
  }
  const [a, b] = [typical(without), typical(beside)]
  console.log(
    `${name}: ${a.toFixed(1)} µs without code, ${b.toFixed(1)} µs with (${((b / a - 1) * 100).toFixed(1)} %)`,
  )
}
await Promise.all([plain.close(), customized.close()])
