// Load on one server: wrk where it is installed, else autocannon.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { ARTICLES } from './article-model.ts'
import { pinned, type Started } from './start-process.ts'

/**
 * With a body it is a POST. In both, `{n}` becomes a number that is never used again, `{id}` an article, `{start}` a place
 * in the list, `{views}` a number of views, and `{again}` up to 49 `&`, which change nothing in a query but its text: with
 * it, a question comes back only after 100,000 others, and its answer is not kept.
 */
export interface Asked {
  readonly path: string
  readonly body?: string
}

export interface Figures {
  readonly perSecond: number
  /** Requests for each second of processor time of the server, which other processes on the machine change little. */
  readonly perProcessorSecond: number
  /** Milliseconds. */
  readonly p99: number
  readonly failed: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined
export const client = hasWrk ? 'wrk' : 'autocannon'
const SPELLINGS = 50

/** Sends the requests in turn, over 32 connections. */
export async function drive(server: Started, requests: readonly Asked[], seconds: number): Promise<Figures> {
  const before = processorSeconds(server)
  const { count, ...figures } = await (hasWrk ? driveWrk : driveAutocannon)(server.url, requests, seconds)
  return { ...figures, perProcessorSecond: count / (processorSeconds(server) - before) }
}

/** Of all threads of the process; NaN where the system does not tell. */
function processorSeconds({ process }: Started): number {
  try {
    const tasks = `/proc/${process.pid}/task`
    const times = readdirSync(tasks).map((task) =>
      Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
    )
    return times.reduce((sum, one) => sum + one, 0) / 1e9
  } catch {
    return Number.NaN
  }
}

type Counted = Omit<Figures, 'perProcessorSecond'> & { readonly count: number }

/** Numbers of one load begin where no other load has been. */
const firstNumber = (): number => Date.now() * 1000

async function driveWrk(url: string, requests: readonly Asked[], seconds: number): Promise<Counted> {
  const script = join(mkdtempSync(join(tmpdir(), 'cms-run-bench-')), 'load.lua')
  const asked = requests.map(
    ({ path, body }) => `{[==[${path}]==], ${body === undefined ? 'nil' : `[==[${body}]==]`}}`,
  )
  const constant = !/\{\w+\}/.test(JSON.stringify(requests.map(({ path, body = '' }) => [path, body])))
  writeFileSync(
    script,
    `local n = ${firstNumber()}
local asked = {${asked.join(', ')}}
local headers = { ["content-type"] = "application/json" }
local function fill(text)
  return (string.gsub(text, "{(%a+)}", {
    n = string.format("%d", n), id = n * 7 % ${ARTICLES} + 1, start = n * 7 % ${ARTICLES - 25}, views = n * 7 % 9000,
    again = string.rep("&", math.floor(n / ${ARTICLES}) % ${SPELLINGS}) }))
end
local function made(one, fill)
  return wrk.format(one[2] and "POST" or "GET", fill(one[1]), headers, one[2] and fill(one[2]))
end
local constant
request = function()
  if constant then return constant end
  n = n + 1
  ${constant && requests.length === 1 ? 'constant = made(asked[1], function(text) return text end)\n  return constant' : 'return made(asked[n % #asked + 1], fill)'}
end
done = function(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  print(string.format("RESULT %d %f %f %d", summary.requests, summary.duration / 1e6, latency:percentile(99) / 1000, failed))
end
`,
  )
  const args = ['wrk', '-t1', '-c32', `-d${seconds}s`, '-s', script, url]
  const [command = 'wrk', ...rest] = pinned ? ['taskset', '-c', '1', ...args] : args
  const { stdout } = spawnSync(command, rest, { encoding: 'utf8' })
  const [count = 0, duration = 1, p99 = 0, failed = 0] = (/RESULT (.*)/.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number)
  return { count, perSecond: count / duration, p99, failed }
}

async function driveAutocannon(url: string, requests: readonly Asked[], seconds: number): Promise<Counted> {
  let n = firstNumber()
  const fill = (text: string): string =>
    text
      .replaceAll('{n}', String(n))
      .replaceAll('{id}', String(((n * 7) % ARTICLES) + 1))
      .replaceAll('{start}', String((n * 7) % (ARTICLES - 25)))
      .replaceAll('{views}', String((n * 7) % 9000))
      .replaceAll('{again}', '&'.repeat(Math.floor(n / ARTICLES) % SPELLINGS))
  const result = await autocannon({
    url,
    connections: 32,
    duration: seconds,
    requests: requests.map(({ path, body }) => ({
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      setupRequest: (request) => {
        n += 1
        return { ...request, path: fill(path), ...(body === undefined ? {} : { body: fill(body) }) }
      },
    })),
  })
  const failed = result.errors + result.non2xx
  return { count: result.requests.total, perSecond: result.requests.average, p99: result.latency.p99, failed }
}
