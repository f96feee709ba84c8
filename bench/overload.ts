// More clients than a server can serve: ten times as many as saturate it. Says how many answers a second remain, how long the answered
// ones take, and what memory does, after the first second, in which an overload is not yet one. Refused clients come back after `Retry-After`, or at once (`again`). Server on one
// core, clients on another.
//
//     npx tsx bench/overload.ts [memory|postgres] [uws|node] [seconds] [limits.wait]

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { benchConfig } from './article-model.ts'
import { pinned, type Started, startProcess } from './start-process.ts'

const [client = 'memory', transport = 'uws', seconds = '5', longest = '100ms'] = process.argv.slice(2)
const root = fileURLToPath(new URL('..', import.meta.url))
const URL_OF_POSTGRES = process.env['CMS_TEST_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const SATURATING = 32
const TIMES = 10
const PATH =
  '/api/articles?populate=author,tags&sort=views:desc&filters[views][$gt]=100&pagination[pageSize]=25'

interface Figures {
  readonly answered: number
  readonly refused: number
  readonly failed: number
  /** Milliseconds of those that were answered. */
  readonly p50: number
  readonly p99: number
}

if (pinned) spawnSync('taskset', ['-cp', '1', String(process.pid)])
const folder = mkdtempSync(join(tmpdir(), 'cms-run-overload-'))
const file = join(folder, 'cms.json')
const schema = `overload_${process.pid}`
const database =
  client === 'postgres'
    ? {
        database: {
          client,
          connection: URL_OF_POSTGRES,
          schema,
        },
      }
    : {}
writeFileSync(
  file,
  benchConfig({
    server: { environment: 'production', limits: { wait: longest }, log: { requests: false } },
    rest: { cache: '0b' },
    ...database,
  }),
)
process.env['CMS_RUN_TRANSPORT'] = transport
const server = await startProcess([join(root, 'dist/cli.js'), file, '--port', '0', '--no-watch'])
const port = Number(new URL(server.url).port)
await drive(SATURATING, 1, 'again')
for (const again of ['after Retry-After', 'again'] as const) {
  const quiet = await drive(SATURATING, Number(seconds), again)
  const before = memoryOf(server)
  const over = await drive(SATURATING * TIMES, Number(seconds), again)
  const share = over.answered / quiet.answered
  console.log(`${client} over ${transport}, refused clients come ${again}:`)
  console.log(`  ${SATURATING} clients  ${textOf(quiet)}`)
  console.log(`  ${SATURATING * TIMES} clients  ${textOf(over)}`)
  console.log(
    `  throughput x${share.toFixed(2)}, p99 x${(over.p99 / quiet.p99).toFixed(1)}, memory ${before} -> ${memoryOf(server)} MB`,
  )
  await wait(2500)
}
await server.stop()
if (client === 'postgres') {
  const asked = new pg.Client({ connectionString: URL_OF_POSTGRES })
  await asked.connect()
  await asked.query(`drop schema if exists "${schema}" cascade`)
  await asked.end()
}

function textOf({ answered, refused, failed, p50, p99 }: Figures): string {
  const rates = [answered, refused, failed].map((count) => Math.round(count / Number(seconds)))
  return `${rates[0]} answered/s, ${rates[1]} refused/s, ${rates[2]} failed/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
}

/** Each client sends its next request when it has the answer to the last one. */
async function drive(clients: number, duration: number, again: string): Promise<Figures> {
  const end = performance.now() + (duration + 1) * 1000
  const times: number[] = []
  const counts = { refused: 0, failed: 0 }
  setTimeout(() => {
    times.length = 0
    counts.refused = 0
  }, 1000)
  await Promise.all(Array.from({ length: clients }, () => run(end, again, times, counts)))
  times.sort((a, b) => a - b)
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN
  return { answered: times.length, ...counts, p50: at(0.5), p99: at(0.99) }
}

function run(
  end: number,
  again: string,
  times: number[],
  counts: { refused: number; failed: number },
): Promise<void> {
  const head = Buffer.from(`GET ${encodeURI(PATH)} HTTP/1.1\r\nHost: a\r\n\r\n`)
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let sentAt = 0
    let waiting: Buffer[] = []
    let length = 0
    const ask = (): void => {
      if (performance.now() >= end) {
        socket.destroy()
        resolve()
        return
      }
      sentAt = performance.now()
      socket.write(head)
    }
    socket.on('connect', ask)
    socket.on('data', (chunk) => {
      waiting.push(chunk)
      length += chunk.length
      const first = waiting[0] ?? chunk
      const split = first.indexOf('\r\n\r\n')
      const text = first.subarray(0, split).toString('latin1').toLowerCase()
      const body = Number(/content-length: (\d+)/.exec(text)?.[1])
      if (length < split + 4 + body) return
      waiting = []
      length = 0
      const status = text.slice(9, 12)
      if (status === '200') {
        times.push(performance.now() - sentAt)
        ask()
        return
      }
      if (status === '503') counts.refused += 1
      else counts.failed += 1
      const pause = again === 'again' ? 0 : Number(/retry-after: (\d+)/.exec(text)?.[1] ?? 1) * 1000
      setTimeout(ask, Math.min(pause, Math.max(0, end - performance.now())))
    })
    socket.on('error', () => {
      counts.failed += 1
      resolve()
    })
    socket.on('close', () => resolve())
  })
}

function memoryOf({ process }: Started): number {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
