// What an answer that is asked again and again costs, beside a uWebSockets handler that sends the same body: processor
// time of the server for each request, in turns, because other programs disturb rates but not this. `raw` answers
// with nothing but the content type; ours adds its headers, a request id and a tag.

import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { benchConfig } from './article-model.ts'
import { type Started, startProcess } from './start-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cms-run-kept-'))
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const REQUESTS = 20_000
const CONNECTIONS = 32

const LIST =
  '{ articles { data { id attributes { title slug summary views rating featured section day } } } }'
const questions = [
  { name: 'findOne', path: '/api/articles/17' },
  { name: 'list of 25', path: '/api/articles' },
  { name: 'list of 25, two relations populated', path: '/api/articles?populate=author,tags' },
  { name: 'GraphQL list of 10, GET', path: `/graphql?query=${encodeURIComponent(LIST)}` },
  { name: 'GraphQL list of 10, POST', path: '/graphql', body: JSON.stringify({ query: LIST }) },
] as const

type Question = (typeof questions)[number]

const file = join(folder, 'cms.json')
writeFileSync(file, benchConfig({ plugins: { graphql: { enabled: true } } }))
const ours = await startProcess([join(root, 'dist/cli.js'), file, '--port', '0', '--no-watch'])
for (const question of questions) {
  const ratios: number[] = []
  const times = { ours: [] as number[], raw: [] as number[] }
  const body = join(folder, 'body')
  writeFileSync(body, (await exchange(ours, question, 1)).body)
  const raw = await startProcess(['--import', 'tsx', join(root, 'bench/raw.ts'), body])
  for (const server of [ours, raw]) await exchange(server, question, REQUESTS / 4)
  for (let round = 0; round < ROUNDS; round++) {
    const one = await timeOf(raw, question)
    const other = await timeOf(ours, question)
    times.raw.push(one)
    times.ours.push(other)
    ratios.push(one / other)
  }
  const us = (all: readonly number[]) => `${median(all).toFixed(1)} us`
  const share = `${(100 * median(ratios)).toFixed(0)} % of raw`
  console.log(`${question.name.padEnd(40)} raw ${us(times.raw)}  ours ${us(times.ours)}  ${share}`)
  await raw.stop()
}
await ours.stop()

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
}

/** Microseconds of processor time of the server for each request. */
async function timeOf(server: Started, question: Question): Promise<number> {
  const before = cpuOf(server)
  await exchange(server, question, REQUESTS)
  await setTimeout(20)
  return ((cpuOf(server) - before) * 1e6) / REQUESTS
}

/** Seconds, of all threads. Only on Linux. */
function cpuOf({ process: { pid } }: Started): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Sends the same request over and over on some connections; returns the last body. */
async function exchange(
  { url }: Started,
  question: Question,
  count: number,
): Promise<{ readonly body: Buffer }> {
  const { path } = question
  const sent = 'body' in question ? question.body : ''
  const request = Buffer.from(
    [
      `${sent === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      'host: bench',
      'apollo-require-preflight: yes',
      ...(sent === '' ? [] : ['content-type: application/json', `content-length: ${sent.length}`]),
      '',
      sent,
    ].join('\r\n'),
  )
  let left = count
  let last = Buffer.alloc(0)
  const one = async (): Promise<void> => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.setNoDelay(true)
    let parts: Buffer[] = []
    let missing = -1
    const ask = (): void => {
      if (left <= 0) return void socket.end()
      left -= 1
      socket.write(request)
    }
    socket.on('data', (chunk) => {
      parts.push(chunk)
      if (missing < 0) {
        const head = Buffer.concat(parts)
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /content-length: (\d+)/i.exec(head.toString('latin1', 0, end))?.[1]
        missing = Number(length) + end + 4 - head.length
      } else {
        missing -= chunk.length
      }
      if (missing > 0) return
      const whole = Buffer.concat(parts)
      last = whole.subarray(whole.indexOf('\r\n\r\n') + 4)
      parts = []
      missing = -1
      ask()
    })
    ask()
    await once(socket, 'close')
  }
  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, count) }, one))
  return { body: last }
}
