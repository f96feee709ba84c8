// Clients that ask for large answers and never read them, against a server with a heap of 512 MB: over HTTP, over WebSockets,
// over server-sent events, and pipelined. Prints how late /_health was and how large the process became.
//
//     npx tsx test/security/unread.ts [uws|node] [seconds of each attack]

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const ARTICLES = 100
const TITLE_LENGTH = 100_000
const SAMPLE_MS = 50

const CONFIG = `
server: { port: 0, limits: { upload: 1mb } }
plugins:
  graphql: true
  events: true
contentTypes:
  article: { attributes: { title: text } }
auth: { roles: { public: { permissions: ['api::article.article.*'] } } }
`

export interface Target {
  readonly port: number
  readonly pid: number
  readonly child: ChildProcess
  readonly file: string
  printed(): string
  stop(): Promise<void>
}

/** Starts the sources as a process of their own. */
export async function startTarget(
  transport: 'uws' | 'node',
  heapMb: number,
  config = CONFIG,
): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-unread-'))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, config)
  const bin = fileURLToPath(new URL('../../bin/cms-run.js', import.meta.url))
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, bin, 'cms.yaml'], {
    cwd: folder,
    env: { ...process.env, CMS_RUN_TRANSPORT: transport, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  let port = 0
  while (port === 0 && child.exitCode === null) {
    await wait(50)
    port = Number(/127\.0\.0\.1:(\d+)|localhost:(\d+)/.exec(printed)?.slice(1).find(Boolean) ?? 0)
  }
  if (port === 0) throw new Error(`the server did not start: ${printed}`)
  return {
    port,
    pid: child.pid ?? 0,
    child,
    file,
    printed: () => printed,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await new Promise((resolve) => child.once('exit', resolve))
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function fill(port: number): Promise<void> {
  const body = JSON.stringify({ data: { title: 'x'.repeat(TITLE_LENGTH) } })
  for (let at = 0; at < ARTICLES; at += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/articles`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    if (answer.status >= 300) throw new Error(await answer.text())
    await answer.arrayBuffer()
  }
}

function openUnread(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.pause()
  socket.on('error', () => {})
  return socket
}

/** A frame of a client, masked with zeros. */
export function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const head =
    bytes.length < 126
      ? Buffer.from([0x81, 0x80 | bytes.length])
      : Buffer.from([0x81, 0x80 | 126, bytes.length >> 8, bytes.length & 255])
  return Buffer.concat([head, Buffer.alloc(4), bytes])
}

export function handshake(port: number): string {
  const key = randomBytes(16).toString('base64')
  return `GET /graphql HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`
}

const LIST = (n: number): string =>
  `{articles(pagination:{limit:100},filters:{id:{ne:${1000 + n}}}){data{attributes{title}}}}`
const SMALL = (n: number): string =>
  `{${Array.from({ length: 100 }, (_, at) => `a${at}:articles(pagination:{limit:100},filters:{id:{ne:${1000 + n}}}){data{id attributes{createdAt}}}`).join(' ')}}`

type Attack = (port: number) => Promise<Socket[]>

function sockets(count: number, query: (n: number) => string): Attack {
  return async (port) => {
    const all = Array.from({ length: count }, () => openUnread(port))
    for (const socket of all) {
      socket.write(handshake(port))
      await wait(5)
      socket.write(frameOf('{"type":"connection_init"}'))
    }
    await wait(200)
    for (const [index, socket] of all.entries())
      for (let at = 0; at < 100; at += 1)
        socket.write(
          frameOf(
            JSON.stringify({
              type: 'subscribe',
              id: String(at),
              payload: { query: query(index * 100 + at) },
            }),
          ),
        )
    return all
  }
}

function gets(count: number, path: (n: number) => string, pipelined = 1, more = ''): Attack {
  return async (port) =>
    Array.from({ length: count }, (_, index) => {
      const socket = openUnread(port)
      for (let at = 0; at < pipelined; at += 1)
        socket.write(`GET ${path(index * pipelined + at)} HTTP/1.1\r\nHost: a\r\n${more}\r\n`)
      return socket
    })
}

export const ATTACKS: Readonly<Record<string, Attack>> = {
  '500 GETs of 10 MB': gets(
    500,
    (n) => `/api/articles?pagination[pageSize]=100&filters[id][$ne]=${1000 + n}`,
  ),
  '500 equal GETs of 10 MB': gets(500, () => '/api/articles?pagination[pageSize]=100'),
  '20 sockets x 100 queries of 10 MB': sockets(20, LIST),
  '10 sockets x 100 queries of aliases': sockets(10, SMALL),
  '20 connections x 2,000 pipelined GETs of 9 KB': gets(
    20,
    () => '/api/articles?fields[0]=createdAt&pagination[pageSize]=100',
    2000,
  ),
  'one connection x 60,000 pipelined GETs of 9 KB': gets(
    1,
    () => '/api/articles?fields[0]=createdAt&pagination[pageSize]=100',
    60_000,
  ),
  '200 GraphQL streams of 10 MB': gets(
    200,
    (n) => `/graphql?query=${encodeURIComponent(LIST(n))}`,
    1,
    'Accept: text/event-stream\r\n',
  ),
}

/** Asks /_health again and again, in a thread of its own, since the attack keeps this one busy. */
const SAMPLER = `
const { parentPort, workerData } = require('node:worker_threads')
const { request } = require('node:http')
const ask = () => {
  const began = performance.now()
  const done = (delay) => {
    parentPort.postMessage(delay)
    setTimeout(ask, ${SAMPLE_MS})
  }
  const sent = request({ port: workerData, host: '127.0.0.1', path: '/_health', agent: false }, (answer) => {
    answer.resume()
    answer.once('end', () => done(answer.statusCode === 204 ? performance.now() - began : Infinity))
  })
  sent.once('error', () => done(Infinity))
  sent.end()
}
ask()`

export function residentMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1024)
}

export interface Outcome {
  readonly lives: boolean
  readonly peakMb: number
  readonly latestHealthMs: number
  readonly lateHealths: number
  readonly healths: number
}

export async function attack(target: Target, name: string, milliseconds: number): Promise<Outcome> {
  const end = performance.now() + milliseconds
  let peakMb = 0
  const delays: number[] = []
  const sampler = new Worker(SAMPLER, { eval: true, workerData: target.port })
  sampler.on('message', (delay: number) => delays.push(delay))
  await wait(500)
  const attacking = ATTACKS[name]?.(target.port)
  while (performance.now() < end && target.child.exitCode === null && target.child.signalCode === null) {
    try {
      peakMb = Math.max(peakMb, residentMb(target.pid))
    } catch {
      break
    }
    await wait(SAMPLE_MS)
  }
  await sampler.terminate()
  for (const socket of (await attacking) ?? []) socket.destroy()
  return {
    lives: target.child.exitCode === null && target.child.signalCode === null,
    peakMb,
    latestHealthMs: Math.round(Math.max(...delays)),
    lateHealths: delays.filter((delay) => delay > 250).length,
    healths: delays.length,
  }
}

async function main(): Promise<void> {
  const transport = process.argv[2] === 'node' ? 'node' : 'uws'
  const seconds = Number(process.argv[3] ?? 15)
  for (const name of Object.keys(ATTACKS)) {
    if (process.argv[4] !== undefined && !name.includes(process.argv[4])) continue
    const target = await startTarget(transport, 512)
    try {
      await fill(target.port)
      const before = residentMb(target.pid)
      const outcome = await attack(target, name, seconds * 1000)
      console.log(transport, name, { before, ...outcome })
      if (process.argv[5] === 'print') console.log(target.printed())
    } finally {
      await target.stop()
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
