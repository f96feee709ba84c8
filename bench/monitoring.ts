// What metrics and the log of requests cost: processor time for each request, of servers that differ in nothing else, in
// turns, because other programs disturb rates but not this. Answers are not kept here (`rest.cache: 0`), and kept.

import { spawn } from 'node:child_process'
import { mkdtempSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { benchConfig } from './article-model.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'cms-run-monitoring-'))
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 7)
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 10_000)

const OFF = { log: { format: 'json', requests: false } }
const variants = {
  off: OFF,
  metrics: { ...OFF, metrics: true },
  log: { log: { format: 'json', requests: true } },
  'log of a tenth': { log: { format: 'json', requests: 0.1 } },
}

for (const cache of ['0b', '64mb']) {
  const servers = await Promise.all(
    Object.entries(variants).map(async ([name, server], at) => ({
      name,
      ...(await start(server, cache, 4100 + at)),
    })),
  )
  for (const { url } of servers) await drive(url, 2000)
  const times = new Map(servers.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url, pid } of servers) {
      const before = cpuOf(pid)
      await drive(url, REQUESTS)
      await setTimeout(50)
      times.get(name)?.push(((cpuOf(pid) - before) * 1e6) / REQUESTS)
    }
  }
  const base = times.get('off') ?? []
  for (const [name, all] of times) {
    const ratios = all.map((time, at) => time / (base[at] ?? Number.NaN))
    console.log(
      `cache ${cache}  ${name.padEnd(16)} ${median(all).toFixed(1)} us  x${median(ratios).toFixed(3)}`,
    )
  }
  for (const { pid } of servers) process.kill(pid, 'SIGTERM')
}

async function start(server: object, cache: string, port: number): Promise<{ url: string; pid: number }> {
  const file = join(folder, `${port}-${cache}.json`)
  writeFileSync(file, benchConfig({ server: { environment: 'production', ...server }, rest: { cache } }))
  const log = openSync(`${file}.log`, 'w')
  const args = [join(root, 'dist/cli.js'), file, '--port', String(port), '--no-watch']
  const child = spawn(process.execPath, args, { stdio: ['ignore', log, log] })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const answer = await fetch(`${url}/_health`).catch(() => undefined)
    if (answer?.status === 204) return { url, pid: child.pid ?? 0 }
    await setTimeout(100)
  }
}

function drive(url: string, amount: number): Promise<unknown> {
  return autocannon({ url: `${url}/api/articles/17`, connections: 16, amount })
}

/** Seconds, of all threads, by the scheduler's nanoseconds. Only on Linux. */
function cpuOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const times = tasks.map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e9
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
}
