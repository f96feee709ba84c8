// `npx tsx test/security/queries/long.ts memory|sqlite|postgres [questions] [seed]`: questions and writes at random over a
// socket, one after the other, while /_health is asked every 20 ms. Ends with 1 where one is a 5xx, takes more than a
// second, answers more than 64 MB, or keeps /_health waiting for more than 100 ms. Times mean something only on a machine
// that does nothing else: `--no-times` leaves them out. `--slowest=20` shows the 20 that took longest.

import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { serve } from '../../durability/served.ts'
import { memoryOf, openHub } from './open-hub.ts'
import { randomRequest } from './random-question.ts'

const MB = 1024 * 1024
const [client = 'memory', count = '20000', seed = '1'] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith('--'))
const shownSlowest = Number(/--slowest=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 0)
const timed = !process.argv.includes('--no-times')
const PINGER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const ask = async () => {
    const began = performance.now()
    await (await fetch(workerData)).text()
    parentPort.postMessage(performance.now() - began)
    setTimeout(ask, 20)
  }
  void ask()`

const site = await openHub(client)
const served = await serve(site.file)
const pid = served.child.pid ?? 0
const faults: string[] = []
const statuses = new Map<number, number>()
const times: number[] = []
const health: number[] = []
let largest = 0
let asking = true
let slowest: readonly { readonly took: number; readonly shown: string }[] = []

await fetch(`${served.url}/api/articles`)
const before = memoryOf(pid)
let most = before
const pings = pingHealth()
for (const [index, { path, init }] of fc
  .sample(randomRequest, { numRuns: Number(count), seed: Number(seed) })
  .entries()) {
  const began = performance.now()
  const answer = await fetch(`${served.url}${path}`, init)
  // As bytes: to decode megabytes of text would take the processor from the server that is timed.
  const body = Buffer.from(await answer.arrayBuffer())
  const took = performance.now() - began
  times.push(took)
  slowest = [...slowest, { took, shown: `${answer.status} ${body.length} ${path} ${init.body ?? ''}` }]
    .sort((a, b) => b.took - a.took)
    .slice(0, shownSlowest)
  statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  largest = Math.max(largest, body.length)
  const shown = `${index}: ${path.slice(0, 200)} ${init.body?.slice(0, 2000) ?? ''}`
  if (answer.status >= 500) faults.push(`${answer.status} ${body.toString('utf8', 0, 200)} ${shown}`)
  if (body.length > 64 * MB) faults.push(`${body.length} bytes ${shown}`)
  if (timed && took > 1000) faults.push(`${Math.round(took)} ms ${shown}`)
  if (index % 100 === 0) most = Math.max(most, memoryOf(pid))
}
asking = false
await pings
const after = memoryOf(pid)
served.child.kill('SIGTERM')
await served.gone
await site.drop()

times.sort((a, b) => b - a)
health.sort((a, b) => b - a)
if (timed && (health[0] ?? 0) > 100) faults.push(`/_health waited ${Math.round(health[0] ?? 0)} ms`)
console.log(`${client}: ${count} questions, seed ${seed}`)
console.log(`statuses ${[...statuses].map(([status, many]) => `${status}: ${many}`).join(', ')}`)
console.log(`slowest ${shownTimes(times)}; /_health (${health.length} times) ${shownTimes(health)}`)
console.log(
  `largest answer ${(largest / MB).toFixed(1)} MB; memory ${mb(before)} before, ${mb(most)} at most, ${mb(after)} after`,
)
for (const { took, shown } of slowest) console.log(`${Math.round(took)} ms ${shown}`)
for (const fault of faults.slice(0, 20)) console.log(fault)
console.log(`${faults.length} faults`)
process.exit(faults.length === 0 ? 0 : 1)

/** From a thread of its own: this one is busy with large answers. */
async function pingHealth(): Promise<void> {
  const pinger = new Worker(PINGER, { eval: true, workerData: `${served.url}/_health` })
  pinger.on('message', (took: number) => health.push(took))
  while (asking) await wait(50)
  await pinger.terminate()
}

function mb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`
}

function shownTimes(sorted: readonly number[]): string {
  const at = (part: number): string => `${Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)}`
  return `${at(0)} ms, 1 in 1,000 ${at(0.001)} ms, 1 in 100 ${at(0.01)} ms, median ${at(0.5)} ms`
}
