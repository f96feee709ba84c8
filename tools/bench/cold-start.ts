// What a start costs beside that of node itself, in turns: of the built command line on the sample configuration to its first
// 200, and its idle memory; of `createCms` in a program, the first time and again; of forks, and of 100 instances at once.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const sample = join(root, 'cms.yaml')
const PORT = 18_337
const PARALLEL = 100

/** Milliseconds; `main` and `all`: processor time of the main thread and of all threads, NaN where the system is not Linux. */
interface Cost {
  readonly wall: number
  readonly main: number
  readonly all: number
}

// What the programs below share. Linux counts the processor time of each thread in nanoseconds.
const MEASURE = `
import { readFileSync } from 'node:fs'
const main = () => { try { return readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0] / 1e6 } catch { return NaN } }
const all = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
const costs = {}
const took = async (name, task) => {
  const from = [performance.now(), main(), all()]
  const result = await task()
  costs[name] = { wall: performance.now() - from[0], main: main() - from[1], all: all() - from[2] }
  return result
}`
const IMPORT = `import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)})`

const starts = (options: string): string => `${MEASURE}
const { createCms } = await took("import('cms-run')", () => ${IMPORT})
for (const name of ['first', 'second', 'third']) {
  const cms = await took(name + ' createCms', () => createCms(${JSON.stringify(sample)}, ${options}))
  await took('an answer of the ' + name, () => cms.fetch('/api/restaurants'))
  for (const fork of name === 'second' ? ['first', 'second', 'third'] : [])
    await (await took(fork + ' fork', () => cms.fork())).close()
  await cms.close()
}
console.log(JSON.stringify(costs))`

const PARALLEL_STARTS = `${MEASURE}
const { createCms } = await ${IMPORT}
const open = await took('${PARALLEL} at once, with an answer of each', () => Promise.all(Array.from({ length: ${PARALLEL} }, async () => {
  const cms = await createCms(${JSON.stringify(sample)}, { env: {}, testing: true })
  if ((await cms.fetch('/api/restaurants')).status !== 200) throw new Error('no answer')
  return cms
})))
const megabytes = process.memoryUsage.rss() / 2 ** 20
await Promise.all(open.map((cms) => cms.close()))
console.log(JSON.stringify({ costs, megabytes }))`

export async function coldStart(runs = 7): Promise<void> {
  const costs = new Map<string, Cost[]>()
  const megabytes = new Map<string, number[]>()
  const add = (name: string, cost: Cost): unknown => costs.set(name, [...(costs.get(name) ?? []), cost])
  const held = (name: string, value: number): unknown =>
    megabytes.set(name, [...(megabytes.get(name) ?? []), value])
  for (let run = 0; run < runs; run++) {
    add("node's own server", ofNode())
    await ofCommandLine(add, held)
    for (const options of ['{ env: {}, testing: true }', '{ env: {} }']) {
      const suffix = options.includes('testing') ? '' : ', without testing'
      for (const [name, cost] of Object.entries(output<Record<string, Cost>>(starts(options))))
        if (suffix === '' || name === 'first createCms') add(name + suffix, cost)
    }
    const parallel = output<{ costs: Record<string, Cost>; megabytes: number }>(PARALLEL_STARTS)
    for (const [name, cost] of Object.entries(parallel.costs)) add(name, cost)
    held(`a process with ${PARALLEL} instances`, parallel.megabytes)
  }
  console.log(`\nmilliseconds, medians of ${runs} rounds in turns (least):`)
  console.log(`${''.padEnd(42)}${['by the clock', 'main thread', 'all threads'].map(right).join('')}`)
  for (const [name, seen] of costs) {
    const parts = (['wall', 'main', 'all'] as const).map((part) => shown(seen.map((cost) => cost[part])))
    console.log(`${name.padEnd(42)}${parts.map(right).join('')}`)
  }
  console.log('megabytes of memory:')
  for (const [name, seen] of megabytes) console.log(`${name.padEnd(42)}${right(shown(seen))}`)
}

function ofNode(): Cost {
  const from = performance.now()
  const costs = output<Record<string, Cost>>(`${MEASURE}
const { createServer } = await import('node:http')
createServer().listen(0, () => { console.log(JSON.stringify({ main: main(), all: all() })); process.exit() })`)
  return { wall: performance.now() - from, ...(costs as object) } as Cost
}

function output<T>(program: string): T {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as T
}

async function ofCommandLine(
  add: (name: string, cost: Cost) => void,
  held: (name: string, value: number) => void,
): Promise<void> {
  const from = performance.now()
  const args = [join(root, 'dist/cli.js'), sample, '--port', String(PORT)]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  while (!(await answers())) await new Promise((resolve) => setTimeout(resolve, 2))
  add('command line to the first 200', { wall: performance.now() - from, ...processorTime(child.pid ?? 0) })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
  held('the command line, idle', Number(resident) / 1024)
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function processorTime(pid: number): Pick<Cost, 'main' | 'all'> {
  const of = (thread: string): number =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  try {
    const all = readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + of(thread), 0)
    return { main: of(String(pid)), all }
  } catch {
    return { main: Number.NaN, all: Number.NaN }
  }
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${PORT}/api/restaurants`)).status === 200
  } catch {
    return false
  }
}

function shown(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b)
  const digits = (sorted[0] ?? 0) < 20 ? 1 : 0
  return `${sorted[Math.floor(sorted.length / 2)]?.toFixed(digits)} (${sorted[0]?.toFixed(digits)})`
}

function right(text: string): string {
  return text.padStart(16)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await coldStart(Number(process.argv[2] ?? 7))
