// Mixed load on one server for some minutes: reads, writes, GraphQL, uploads, sockets, streams and reloads. Prints the resident
// memory each minute, and its slope over the last third.
//
//     npx tsx test/security/soak.ts [uws|node] [minutes]

import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { residentMb, startTarget } from './unread.ts'

const CONFIG = `
server: { port: 0 }
plugins: { graphql: true, events: true, upload: true }
contentTypes:
  article: { attributes: { title: string, body: text } }
auth: { roles: { public: { permissions: ['api::*.*.*', 'plugin::upload.*.*'] } } }
`
const ENTRIES = 300
const PAUSE_MS = 5

type Task = (base: string, round: number) => Promise<void>

async function drain(answer: Response, allowed: readonly number[] = [200, 201, 204]): Promise<unknown> {
  const text = await answer.text()
  if (!allowed.includes(answer.status)) throw new Error(`${answer.status} ${text.slice(0, 200)}`)
  return text === '' ? undefined : JSON.parse(text)
}

const json = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const read: Task = async (base, round) => {
  const size = (round % 50) + 1
  const query = `pagination[pageSize]=${size}&filters[id][$ne]=${round}&sort=title:${round % 2 === 0 ? 'asc' : 'desc'}`
  await drain(await fetch(`${base}/api/articles?${query}`))
  await drain(await fetch(`${base}/api/articles/${(round % ENTRIES) + 1}`))
}

const write: Task = async (base, round) => {
  const data = { title: `made ${round}`, body: 'x'.repeat(round % 5000) }
  const made = (await drain(await fetch(`${base}/api/articles`, json('POST', { data })))) as {
    data: { id: number }
  }
  await drain(await fetch(`${base}/api/articles/${(round % ENTRIES) + 1}`, json('PUT', { data })))
  await drain(await fetch(`${base}/api/articles/${made.data.id}`, { method: 'DELETE' }))
}

const graphql: Task = async (base, round) => {
  // Some documents are new each time, as a client that writes values into them sends them.
  const query = `{ articles(pagination: { limit: ${(round % 20) + 1} }, filters: { id: { ne: ${round} } }) { data { id attributes { title } } } }`
  await drain(await fetch(`${base}/graphql`, json('POST', { query })))
}

const upload: Task = async (base, round) => {
  const form = new FormData()
  form.append(
    'files',
    new Blob(['y'.repeat(20_000 + (round % 50_000))], { type: 'text/plain' }),
    `${round}.txt`,
  )
  const [file] = (await drain(await fetch(`${base}/api/upload`, { method: 'POST', body: form }))) as {
    id: number
  }[]
  await drain(await fetch(`${base}/api/upload/files/${file?.id}`, { method: 'DELETE' }))
  await wait(100)
}

const socket: Task = async (base) => {
  const client = new WebSocket(`${base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
  client.on('error', () => {})
  client.on('open', () => client.send('{"type":"connection_init"}'))
  client.on('message', (message: Buffer) => {
    if (!message.toString().includes('connection_ack')) return
    const payload = { query: 'subscription { articles: articleChanged { action } }' }
    client.send(JSON.stringify({ type: 'subscribe', id: 's', payload }))
    client.send(
      JSON.stringify({ type: 'subscribe', id: 'q', payload: { query: '{ articles { data { id } } }' } }),
    )
  })
  await wait(3000)
  client.terminate()
}

const stream: Task = async (base) => {
  const controller = new AbortController()
  const answer = await fetch(`${base}/api/_events`, { signal: controller.signal })
  const reader = answer.body?.getReader()
  const end = performance.now() + 2000
  const late = setTimeout(() => controller.abort(), 3000)
  try {
    while (performance.now() < end && (await reader?.read())?.done === false);
  } catch {
    // Ended by a reload or by the clock.
  }
  clearTimeout(late)
  controller.abort()
}

async function main(): Promise<void> {
  const transport = process.argv[2] === 'node' ? 'node' : 'uws'
  const minutes = Number(process.argv[3] ?? 30)
  const target = await startTarget(transport, 512, CONFIG)
  const base = `http://127.0.0.1:${target.port}`
  for (let at = 0; at < ENTRIES; at += 1)
    await drain(
      await fetch(
        `${base}/api/articles`,
        json('POST', { data: { title: `t${at}`, body: 'b'.repeat(2000) } }),
      ),
    )
  const end = performance.now() + minutes * 60_000
  const counts: Record<string, number> = {}
  const faults: Record<string, number> = {}
  const loop = async (name: string, task: Task, pause: number): Promise<void> => {
    for (let round = 0; performance.now() < end && target.child.exitCode === null; round += 1) {
      try {
        await task(base, round)
        counts[name] = (counts[name] ?? 0) + 1
      } catch (error) {
        const text = `${name}: ${String(error).slice(0, 80)}`
        faults[text] = (faults[text] ?? 0) + 1
        await wait(100)
      }
      await wait(pause)
    }
  }
  const reload: Task = async (_base, round) => {
    const text = readFileSync(target.file, 'utf8').replace(/\n# .*$/s, '')
    writeFileSync(target.file, `${text}\n# ${round}\nx-round: ${round}\n`)
    await wait(15_000)
  }
  const running = [
    ...[0, 1].map(() => loop('read', read, PAUSE_MS)),
    loop('write', write, PAUSE_MS),
    loop('graphql', graphql, PAUSE_MS),
    loop('upload', upload, PAUSE_MS),
    ...[0, 1, 2].map(() => loop('socket', socket, PAUSE_MS)),
    ...[0, 1].map(() => loop('stream', stream, PAUSE_MS)),
    loop('reload', reload, PAUSE_MS),
  ]
  const samples: { readonly minute: number; readonly mb: number }[] = []
  const began = performance.now()
  while (performance.now() < end && target.child.exitCode === null) {
    await wait(5000)
    samples.push({ minute: (performance.now() - began) / 60_000, mb: residentMb(target.pid) })
    if (samples.length % 12 === 0) console.log(samples.at(-1), JSON.stringify(counts))
  }
  await Promise.all(running)
  const last = samples.filter(({ minute }) => minute > (minutes * 2) / 3)
  console.log({ lives: target.child.exitCode === null, counts, faults, samples: last.length })
  console.log({
    slopeMbPerMinute: slopeOf(last),
    from: Math.min(...last.map(({ mb }) => mb)),
    to: Math.max(...last.map(({ mb }) => mb)),
  })
  await target.stop()
}

/** Least squares. */
function slopeOf(samples: readonly { readonly minute: number; readonly mb: number }[]): number {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length
  const x = mean(samples.map(({ minute }) => minute))
  const y = mean(samples.map(({ mb }) => mb))
  const above = samples.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0)
  return Number((above / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)).toFixed(2))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
