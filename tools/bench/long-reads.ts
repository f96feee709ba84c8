// What reads of one entry lose while others look at every entry of a database file: in turns, alone and beside long reads.
// By hand: npx tsx tools/bench/long-reads.ts [entries]

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createCms } from '../../src/index.ts'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'

const folder = mkdtempSync(join(process.env['BENCH_DIRECTORY'] ?? tmpdir(), 'cms-run-long-'))
const size = Number(process.argv[2] ?? 1_000_000)
const filename = join(folder, 'cms.db')
const open = () =>
  createCms(
    {
      database: { client: 'sqlite', filename },
      contentTypes: { article: { attributes: { title: 'string', body: 'text' } } },
      rest: { cache: 0, limits: { scanWarning: null } },
      auth: { roles: { public: { permissions: ['article.find', 'article.findOne'] } } },
    },
    { env: {} },
  )
await (await open()).close()
const database = (await loadLibsql()).open(filename)
database.exec(
  `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${size})
insert into articles (id, title, body, created_at, updated_at)
select i, 'Article ' || i, 'Thing number ' || i || ' of ' || hex(randomblob(60)), 1700000000000 + i, 1700000000000 + i from n`,
)
database.close()

const cms = await open()
let asked = 0

async function ask(target: string): Promise<void> {
  const response = await cms.fetch(target)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${target}: ${response.status}`)
}

const scan = (): Promise<void> =>
  ask(`/api/articles?filters[body][$contains]=none${asked++}&pagination[withCount]=false`)

/** Requests that arrive within one turn of the event loop. */
const AT_ONCE = 8
const MS = 1500

interface Turn {
  readonly perSecond: number
  /** Per second of the main thread's processor time: what others on the machine take away does not count. */
  readonly perWorkedSecond: number
  readonly p99: number
  readonly longest: number
}

async function findMany(): Promise<Turn> {
  const times: number[] = []
  const worked = workedSeconds()
  const started = performance.now()
  while (performance.now() - started < MS) {
    const before = performance.now()
    await Promise.all(
      Array.from({ length: AT_ONCE }, () => ask(`/api/articles/${((asked++ * 7919) % size) + 1}`)),
    )
    await setImmediate()
    times.push(performance.now() - before)
  }
  times.sort((a, b) => a - b)
  const perSecond = (AT_ONCE * times.length) / ((performance.now() - started) / 1000)
  return {
    perSecond,
    perWorkedSecond: (AT_ONCE * times.length) / (workedSeconds() - worked),
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    longest: times.at(-1) ?? Number.NaN,
  }
}

/** Of the main thread; Linux tells it in nanoseconds. */
function workedSeconds(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9
}

/** As many loops of long reads as `loops`, while the task runs; returns how long one took. */
async function beside<T>(loops: number, task: () => Promise<T>): Promise<readonly [T, number]> {
  let running = true
  const times: number[] = []
  const loop = async (): Promise<void> => {
    while (running) {
      const before = performance.now()
      await scan()
      times.push(performance.now() - before)
      await setImmediate()
    }
  }
  const all = Array.from({ length: loops }, loop)
  const result = await task()
  running = false
  await Promise.all(all)
  return [result, median(times)]
}

const alone: Turn[] = []
const crowded: Turn[] = []
const apart: number[] = []
const scans: number[] = []
await findMany()
await scan()
for (let round = 0; round < 7; round++) {
  alone.push(await findMany())
  const [turn, took] = await beside(1, findMany)
  crowded.push(turn)
  apart.push(took)
  const before = performance.now()
  await scan()
  scans.push(performance.now() - before)
}
const row = (name: string, turns: readonly Turn[]): void => {
  const of = (key: keyof Turn): string => median(turns.map((turn) => turn[key])).toFixed(1)
  console.log(
    `${name}: ${of('perSecond')} a second, ${of('perWorkedSecond')} a second of the main thread's work; ${AT_ONCE} at once take ${of('p99')} ms (p99), ${of('longest')} ms (longest)`,
  )
}
console.log(`findOne among ${size} entries of a file, medians of 7 turns of ${MS} ms:`)
row('alone', alone)
row('beside one long read after the other', crowded)
const ratiosOf = (key: keyof Turn): readonly number[] =>
  crowded.map((turn, index) => turn[key] / (alone[index]?.[key] ?? Number.NaN))
for (const key of ['perSecond', 'perWorkedSecond'] as const) {
  const ratios = ratiosOf(key)
  console.log(
    `remain of ${key}: ${(100 * median(ratios)).toFixed(0)} % (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
  )
}
console.log(
  `a long read takes ${median(scans).toFixed(0)} ms alone, ${median(apart).toFixed(0)} ms beside findOne`,
)
await cms.close()
rmSync(folder, { recursive: true, force: true })

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
