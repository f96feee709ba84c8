// The console of several workers: one key for all of them, and what each has seen.

import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'
import { transportsHere } from '../support/transports.ts'
import { found, startWorkerServer, type WorkerServer } from '../workers/worker-server.ts'

const here = await postgresHere()

const yaml = ({ connection, schema }: TestSchema) => `
server: { port: 0, workers: 2 }
console: true
database: { client: postgres, connection: '${connection}', schema: ${schema}, pool: { min: 0, max: 3 } }
contentTypes:
  article: { attributes: { title: string } }
auth: { roles: { public: { permissions: [] }, editor: { permissions: ['article.find'] } } }
data:
  article: [{ id: 1, title: Hello }]
`

interface State {
  readonly processes: number
  readonly generation: number
  readonly wrong?: string
  readonly readings: readonly {
    readonly process: number
    readonly number: number
    readonly outcome: string
  }[]
  readonly requests: readonly { readonly process: number; readonly number: number; readonly path: string }[]
}

describe.skipIf(here === undefined).each(transportsHere)('workers over %s', (transport) => {
  let schema: TestSchema
  let server: WorkerServer
  let key: string
  beforeAll(async () => {
    schema = await openTestSchema(here ?? '')
    server = await startWorkerServer(yaml(schema), transport, ['--open'])
    key = (await found(() => /#key=([\w-]+)/.exec(server.output())?.[1])) ?? ''
    await found(() => (server.workers().length === 2 ? true : undefined))
  })
  afterAll(async () => {
    await server?.close()
    await schema?.drop()
  })

  /** Over a connection of its own, so that any worker may get it. */
  function ask(
    path: string,
    headers: Readonly<Record<string, string>> = { 'x-console-key': key },
    body?: unknown,
  ): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${server.url}${path}`,
        {
          agent: new Agent({ keepAlive: false }),
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }
  const times = async <T>(count: number, task: () => Promise<T>): Promise<readonly T[]> =>
    Promise.all(Array.from({ length: count }, task))
  const state = async (query = ''): Promise<State> =>
    JSON.parse((await ask(`/_console/state?${query}`)).text) as State

  test('one key and its tokens hold for all of them', async () => {
    for (const { status } of await times(12, () => ask('/_console/home'))) expect(status).toBe(200)
    for (const [as, expected] of [
      ['everything', 200],
      ['role:editor', 200],
      ['role:public', 403],
    ] as const) {
      const { token } = JSON.parse((await ask('/_console/token', undefined, { as })).text) as {
        token: string
      }
      const answers = await times(12, () => ask('/api/articles', { authorization: `Bearer ${token}` }))
      expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(expected))
      const forged = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}x`
      expect((await ask('/api/articles', { authorization: `Bearer ${forged}` })).status).toBe(401)
    }
  })

  test('requests of all of them are seen, each once', async () => {
    const before = await state('requests=')
    expect(before.processes).toBe(2)
    const known = new Map(before.requests.map(({ process, number }) => [process, number]))
    const cursor = (): string => [...known].map((pair) => pair.join(':')).join(',')
    await times(40, () => ask('/api/articles?page=mine', {}))
    const after = await state(`requests=${cursor()}`)
    expect(after.requests).toHaveLength(40)
    expect(after.requests.every(({ path }) => path === '/api/articles')).toBe(true)
    const processes = new Set(after.requests.map(({ process }) => process))
    expect([...processes].every((one) => server.workers().includes(one))).toBe(true)
    for (const { process, number } of after.requests) known.set(process, number)
    expect((await state(`requests=${cursor()}`)).requests).toEqual([])
  })

  test('a broken file is told by every one of them, and that it is mended', async () => {
    const { generation } = await state()
    await server.edit((text) => text.replace('title: string', 'title: strung'))
    await found(() => (server.output().includes('the edit has errors') ? true : undefined))
    for (const { wrong } of await times(8, state)) expect(wrong).toContain('strung')
    await server.edit((text) => text.replace('title: strung', 'title: string, extra: integer'))
    await found(() => (server.output().match(/reloaded in/g)?.length === 2 ? true : undefined))
    const states = await times(8, state)
    for (const one of states) expect(one).toMatchObject({ processes: 2 })
    for (const { wrong } of states) expect(wrong).toBeUndefined()
    expect(new Set(states.map((one) => one.generation)).size).toBe(1)
    expect(states[0]?.generation).toBeGreaterThan(generation)
    const outcomes = states[0]?.readings.map(({ outcome }) => outcome)
    expect(outcomes?.filter((outcome) => outcome === 'reloaded')).toHaveLength(2)
  })
})
