// Many GraphQL subscriptions under steady writes: the longest turn of the server's event loop, how late its health is
// answered, and how many are told. Once with equal documents, once with a document of its own for each subscription.
// A turn is given in processor time, too, because other processes count in its duration.
// `npx tsx tools/bench/subscriptions.ts [sockets] [subscriptions of each] [seconds]`

import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { createCms } from '../../src/index.ts'

const WRITES_A_MINUTE = 1000
const [sockets = 20, each = 100, seconds = 20] = process.argv.slice(2).map(Number)

/** Milliseconds. */
interface Turns {
  readonly longest: number
  readonly longestWork: number
}

/** What clients heard. */
interface Heard {
  readonly answers: number
  /** By reason. */
  readonly ended: Readonly<Record<string, number>>
}

/** Milliseconds of processor time that the main thread has had. */
function work(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

/** The server, which tells its parent how long its turns were. */
async function serve(): Promise<void> {
  const cms = await createCms(
    {
      events: true,
      contentTypes: {
        article: {
          attributes: {
            title: 'string',
            category: {
              type: 'relation',
              relation: 'manyToOne',
              target: 'api::category.category',
              inversedBy: 'articles',
            },
          },
        },
        category: {
          attributes: {
            name: 'string',
            articles: {
              type: 'relation',
              relation: 'oneToMany',
              target: 'api::article.article',
              mappedBy: 'category',
            },
          },
        },
      },
      plugins: { graphql: true },
      ...(process.env['DEFAULTS'] === 'yes'
        ? {}
        : { server: { limits: { subscriptions: { caller: sockets * each } } } }),
      auth: { roles: { public: { permissions: ['article.*', 'category.*'] } } },
    },
    { env: { NODE_ENV: 'production' } },
  )
  await cms.entries('category').create({ name: 'news' })
  for (let made = 0; made < 100; made++)
    await cms.entries('article').create({ title: `title ${made} of forty characters, as usual`, category: 1 })
  const { url } = await cms.listen(0, '127.0.0.1')
  let turns = { longest: 0, longestWork: 0 }
  let began = performance.now()
  let worked = work()
  const look = (): void => {
    const now = performance.now()
    const nowWorked = work()
    turns = {
      longest: Math.max(turns.longest, now - began),
      longestWork: Math.max(turns.longestWork, nowWorked - worked),
    }
    began = now
    worked = nowWorked
    setImmediate(look)
  }
  look()
  process.on('message', (word) => {
    if (word === 'begin') turns = { longest: 0, longestWork: 0 }
    else process.send?.(turns)
  })
  process.send?.(url)
}

function documentOf(index: number | undefined): string {
  const name = index === undefined ? 'Watch' : `Watch${index}`
  return `subscription ${name} { articleChanged { action id entry { data { attributes {
    title category { data { attributes { name articles(pagination: { limit: 100 }) { data { attributes { title } } } } } }
  } } } } }`
}

/** The clients, which read and count. */
function listen(url: string, distinct: boolean): void {
  let answers = 0
  const ended: Record<string, number> = {}
  for (let number = 0; number < sockets; number++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    const say = (message: object): void => socket.send(JSON.stringify(message))
    socket.on('open', () => say({ type: 'connection_init' }))
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      if (text.includes('"connection_ack"'))
        for (let index = 0; index < each; index++)
          say({
            id: String(index),
            type: 'subscribe',
            payload: { query: documentOf(distinct ? number * each + index : undefined) },
          })
      else if (text.includes('"errors"') || text.includes('"type":"error"')) {
        const reason = /"message":"([^"]*)"/.exec(text)?.[1]?.replace(/\d+/, 'N') ?? text
        ended[reason] = (ended[reason] ?? 0) + 1
      } else if (text.includes('"next"')) answers += 1
    })
  }
  process.on('message', () => process.send?.({ answers, ended } satisfies Heard))
}

function start(role: string): ChildProcess {
  return fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, ROLE: role },
  })
}

async function measure(name: string, distinct: boolean): Promise<void> {
  const said = (child: ChildProcess): Promise<unknown> =>
    new Promise((resolve) => child.once('message', resolve))
  const server = start('serve')
  const url = String(await said(server))
  const clients = start(`listen ${distinct} ${url}`)
  await wait(15_000)
  server.send('begin')
  const began = performance.now()
  const health: number[] = []
  const writes: number[] = []
  let over = false
  const asking = (async () => {
    while (!over) {
      const asked = performance.now()
      await (await fetch(`${url}/_health`)).arrayBuffer()
      health.push(performance.now() - asked)
      await wait(20)
    }
  })()
  const writing: Promise<unknown>[] = []
  while (performance.now() - began < seconds * 1000) {
    const asked = performance.now()
    const title = `title ${writing.length} of forty characters, as usual`
    writing.push(
      fetch(`${url}/api/articles/1`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: { title } }),
      })
        .then((answer) => answer.arrayBuffer())
        .then(() => writes.push(performance.now() - asked)),
    )
    await wait(began + (writing.length * 60_000) / WRITES_A_MINUTE - performance.now())
  }
  await Promise.all(writing)
  server.send('end')
  const turns = (await said(server)) as Turns
  over = true
  await asking
  clients.send('end')
  const heard = (await said(clients)) as Heard
  const longest = (times: readonly number[]): string => Math.max(...times).toFixed(0)
  process.stdout.write(
    `${sockets} x ${each} subscriptions, ${name}, ${writing.length} writes in ${seconds} s:\n` +
      `  the longest turn of the event loop took ${turns.longest.toFixed(0)} ms, the one with most work ${turns.longestWork.toFixed(0)} ms of processor time\n` +
      `  /_health ${longest(health)} ms at the longest, writes ${longest(writes)} ms; ${heard.answers} answers\n` +
      Object.entries(heard.ended)
        .map(([reason, count]) => `  ${count} ended: ${reason}\n`)
        .join(''),
  )
  clients.kill()
  server.kill()
}

const [role, distinct, url = ''] = (process.env['ROLE'] ?? '').split(' ')
if (role === 'serve') await serve()
else if (role === 'listen') listen(url, distinct === 'true')
else {
  await measure('equal documents', false)
  await measure('a document of its own for each', true)
}
