// Many open streams of events: what each costs in memory, how long a change takes to reach all of them, and how many
// reads a second the server answers meanwhile, against none. `npx tsx tools/bench/events.ts [connections]`

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const connections = Number(process.argv[2] ?? 5000)
const bin = join(dirname(fileURLToPath(import.meta.url)), '../../bin/cms-run.js')
const file = join(mkdtempSync(join(tmpdir(), 'cms-events-')), 'cms.yaml')
writeFileSync(
  file,
  `events: true
contentTypes: { article: { title: string, body: text } }
server: { limits: { streams: 6000, streamsPerAddress: 6000, subscriptions: { caller: 6000 } } }
auth: { roles: { public: { permissions: ['article.*'] } } }
data: { article: [{ title: first, body: text }] }
`,
)
const child = spawn(process.execPath, [bin, file, '--no-watch', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_ENV: 'production' },
})
const url = await new Promise<URL>((resolve) => {
  let output = ''
  child.stdout.on('data', (piece: Buffer) => {
    output += piece
    const found = /listening on (http:\S+?)"/.exec(output)?.[1]
    if (found !== undefined) resolve(new URL(found))
  })
})
const port = Number(url.port)

/** Bytes. */
function memory(): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

/** Seconds of processor time. */
function processorTime(): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Reads for each second of the server's processor time, so that other load counts little. */
async function readsPerSecond(seconds: number): Promise<number> {
  let over = false
  let reads = 0
  const before = processorTime()
  const readers = Array.from({ length: 16 }, async () => {
    while (!over) {
      const answer = await fetch(`${url.origin}/api/articles/1`)
      reads += 1
      await answer.arrayBuffer()
    }
  })
  await wait(seconds * 1000)
  over = true
  await Promise.all(readers)
  return reads / (processorTime() - before)
}

await readsPerSecond(3)
const alone = await readsPerSecond(4)
const empty = memory()
const sockets: Socket[] = []
let heard = 0
let wanted: string | undefined
for (let opened = 0; opened < connections; opened++) {
  const socket = connect(port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () =>
      socket.write(
        'GET /api/_events?types=article HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n',
      ),
    )
    socket.once('data', () => resolve())
  })
  socket.on('data', (piece: Buffer) => {
    if (wanted !== undefined && piece.includes(wanted)) heard += 1
  })
  sockets.push(socket)
}
await wait(1000)
const perConnection = (memory() - empty) / connections

const times: number[] = []
for (let round = 0; round < 10; round++) {
  heard = 0
  wanted = `round ${round} `
  const began = performance.now()
  await fetch(`${url.origin}/api/articles/1`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { title: wanted } }),
  })
  while (heard < connections) await wait(2)
  times.push(performance.now() - began)
}
times.sort((a, b) => a - b)
const listening = await readsPerSecond(4)
process.stdout.write(
  `${connections} streams: ${(perConnection / 1024).toFixed(1)} kB each; a change reaches all in ${times[5]?.toFixed(0)} ms (p50), ${times[9]?.toFixed(0)} ms (longest)\n` +
    `findOne for each second of processor time: ${alone.toFixed(0)} without, ${listening.toFixed(0)} with them: ${((100 * listening) / alone).toFixed(0)} %\n`,
)
for (const socket of sockets) socket.destroy()
child.kill()
