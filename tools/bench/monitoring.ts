// What metrics and the log of requests cost: processor time for each request of servers that differ in nothing else. They run in one
// process and take turns, because two processes that run the same differ by some percent (in memory, in what V8 optimises), and
// each turn ends with a collection of its garbage. Several processes are started one after the other, and the intervals are those of
// the mean over all turns. Answers are not kept here (`rest.cache: 0`), and kept. The log is written to a file.
//
//     BENCH_STARTS=4 BENCH_TURNS=60 npx tsx tools/bench/monitoring.ts

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Marked, Started } from './monitoring-servers.ts'

const numberOf = (name: string, standard: number): number => Number(process.env[name] ?? standard)
const STARTS = numberOf('BENCH_STARTS', 4)
const TURNS = numberOf('BENCH_TURNS', 60)
const REQUESTS = numberOf('BENCH_REQUESTS', 2000)
const CONNECTIONS = 16
const REQUEST = 'GET /api/articles/17 HTTP/1.1\r\nhost: a\r\n\r\n'

for (const cache of ['0b', '64mb']) {
  const ratios = new Map<string, number[]>()
  const times = new Map<string, number[]>()
  for (let start = 0; start < STARTS; start++) await measure(cache, ratios, times)
  for (const [name, all] of ratios) {
    const [mean, half] = interval(all)
    const time = median(times.get(name) ?? []).toFixed(1)
    console.log(
      `cache ${cache.padEnd(5)} ${name.padEnd(15)} ${time} us  x${mean.toFixed(3)} ± ${half.toFixed(3)}`,
    )
  }
}

/** Microseconds of a request in each turn, by the server's name, and how they compare with the turn of `off` beside it. */
async function measure(
  cache: string,
  ratios: Map<string, number[]>,
  times: Map<string, number[]>,
): Promise<void> {
  const child = fork(fileURLToPath(new URL('monitoring-servers.ts', import.meta.url)), [cache], {
    execArgv: [...process.execArgv, '--expose-gc'],
  })
  const [servers] = (await once(child, 'message')) as [Started]
  const clients = servers.map(({ name, port }) => ({
    name,
    sockets: Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1')),
  }))
  const mark = async (): Promise<number> => {
    child.send('mark')
    const [{ user, system }] = (await once(child, 'message')) as [Marked]
    return user + system
  }
  for (const { sockets } of clients) await drive(sockets, 5 * REQUESTS)
  for (let turn = 0; turn < TURNS; turn++) {
    const taken = new Map<string, number>()
    for (const at of clients.keys()) {
      const { name, sockets } = clients[(turn + at) % clients.length] as (typeof clients)[number]
      const before = await mark()
      await drive(sockets, REQUESTS)
      taken.set(name, ((await mark()) - before) / REQUESTS)
    }
    for (const [name, time] of taken) {
      append(times, name, time)
      append(ratios, name, time / (taken.get('off') ?? Number.NaN))
    }
  }
  for (const { sockets } of clients) for (const socket of sockets) socket.destroy()
  child.disconnect()
  await once(child, 'exit')
}

async function drive(sockets: readonly Socket[], requests: number): Promise<void> {
  let left = requests
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve, reject) => {
          const ask = (): void => {
            if (left <= 0) {
              socket.off('data', took)
              resolve()
              return
            }
            left -= 1
            socket.write(REQUEST)
          }
          // An answer of half a kilobyte arrives in one piece.
          const took = (answer: Buffer): void => {
            if (answer.toString('latin1', 9, 12) === '200') ask()
            else reject(new Error(answer.toString()))
          }
          socket.on('data', took)
          ask()
        }),
    ),
  )
}

function append(into: Map<string, number[]>, name: string, value: number): void {
  const all = into.get(name) ?? []
  all.push(value)
  into.set(name, all)
}

function median(all: readonly number[]): number {
  return [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN
}

/** The mean without the tenth at either end, which other programs disturbed, and half of its 95 % interval. */
function interval(all: readonly number[]): readonly [mean: number, half: number] {
  const cut = Math.floor(all.length / 10)
  const kept = [...all].sort((a, b) => a - b).slice(cut, all.length - cut)
  const mean = kept.reduce((sum, one) => sum + one, 0) / kept.length
  const square = kept.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, kept.length - 1)
  return [mean, 2 * Math.sqrt(square / kept.length)]
}
