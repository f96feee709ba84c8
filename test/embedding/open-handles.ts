// A program that opens instances in many ways, also ones that fail, and closes them: it prints what is still open, and has
// to end by itself. `open-handles.test.ts` runs it.

import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Cms, createCms } from '../../src/index.ts'

const [folder = ''] = process.argv.slice(2)
const config = {
  events: true,
  server: { metrics: true, trouble: { rules: [{ on: 'GET /api/late', latency: '1ms' }] } },
  plugins: { graphql: true, email: true },
  contentTypes: {
    article: {
      drafts: true,
      schedule: true,
      attributes: { title: { type: 'string', required: true }, cover: 'media' },
    },
  },
  auth: {
    roles: { public: { permissions: ['article.*'] } },
    users: [{ username: 'ann', email: 'ann@example.com', password: 'correct horse', confirmed: true }],
  },
}
const file = join(folder, 'cms.yaml')
const options = { env: {}, testing: true } as const

const ways: Readonly<Record<string, () => Promise<unknown>>> = {
  async used() {
    await using cms = await createCms(config, options)
    await cms.fetch('/api/articles')
    await cms.graphql('{ articles { data { id } } }')
    await cms.make('article')
    const snapshot = cms.snapshot()
    await cms.on('article', () => {})
    const changes = cms.changes()
    const next = changes.next()
    await cms.as('ann')('/api/users/me')
    cms.restore(snapshot)
    await using fork = await cms.fork()
    await fork.fetch('/api/articles')
    await cms.close()
    await next
  },
  async 'closed twice'() {
    const cms = await createCms(config, options)
    await Promise.all([cms.close(), cms.close()])
    await cms.close()
  },
  async 'served, with a stream that nobody reads'() {
    const cms = await createCms(config, options)
    const { url } = await cms.listen(0)
    await fetch(`${url}/api/articles`)
    const stream = await fetch(`${url}/api/_events`)
    await cms.close()
    await stream.body?.cancel()
  },
  async 'served over node:http'() {
    await using cms = await createCms(config, { ...options, transport: 'node' })
    const { url } = await cms.listen(0)
    await fetch(`${url}/api/articles`)
  },
  async 'a port in use'() {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    try {
      await using cms = await createCms(config, options)
      const { port } = taken.address() as AddressInfo
      await failing(cms.listen(port, '127.0.0.1'))
    } finally {
      taken.close()
    }
  },
  async 'a followed file'() {
    writeFileSync(file, 'contentTypes: { note: { text: string } }\n')
    await using cms = await createCms(file, { ...options, watch: true })
    await cms.fetch('/api/notes')
  },
  async 'a file that is wrong'() {
    writeFileSync(file, 'contentTypes: { note: { text: strin } }\n')
    await failing(createCms(file, { ...options, watch: true }))
  },
  'data that cannot be stored': () =>
    failing(
      createCms(
        {
          ...config,
          data: {
            article: [
              { title: 'a', id: 1 },
              { title: 'b', id: 1 },
            ],
          },
        },
        options,
      ),
    ),
  'a bootstrap that fails': () =>
    failing(
      createCms(config, {
        ...options,
        bootstrap: () => {
          throw new Error('on purpose')
        },
      }),
    ),
  'a database that is not there': () =>
    failing(
      createCms(config, {
        ...options,
        database: { client: 'postgres', connection: 'postgres://nobody@127.0.0.1:9/none' },
      } as never),
    ),
  async 'a reload that fails'() {
    writeFileSync(file, 'contentTypes: { note: { text: string } }\n')
    await using cms = await createCms(file, options)
    writeFileSync(file, 'contentTypes: 3\n')
    await failing(cms.reload())
  },
}

async function failing(task: Promise<unknown>): Promise<void> {
  const outcome = await task.then(
    (value) => value as Cms,
    () => undefined,
  )
  if (outcome === undefined) return
  throw new Error('it did not fail')
}

/** What keeps the process alive, but for standard streams and the turns of `settled`. */
const open = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => !/^(?:PipeWrap|TTYWrap|Immediate)$/.test(name))

/** Sockets and watches are closed in one of the next turns. */
async function settled(): Promise<readonly string[]> {
  for (let turn = 0; turn < 100_000 && open().length > 0; turn++)
    await new Promise((resolve) => setImmediate(resolve))
  return open()
}

for (const [name, act] of Object.entries(ways)) {
  const outcome = await act().then(
    () => 'as expected',
    (error: unknown) => String(error),
  )
  console.log(JSON.stringify({ name, outcome, open: await settled() }))
}
