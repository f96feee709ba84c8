// Load on one server: wrk where it is installed, else autocannon. Every request of `ids` asks for another id.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { ARTICLES } from './article-model.ts'

export interface Load {
  readonly url: string
  /** `{id}` in the path and the body becomes another id with each request. */
  readonly path: string
  readonly method?: 'GET' | 'POST'
  readonly body?: string
  readonly seconds: number
}

export interface Figures {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined
export const client = hasWrk ? 'wrk' : 'autocannon'

export async function drive(load: Load): Promise<Figures> {
  return hasWrk ? driveWrk(load) : driveAutocannon(load)
}

function driveWrk({ url, path, method = 'GET', body, seconds }: Load): Figures {
  const script = join(mkdtempSync(join(tmpdir(), 'cms-run-bench-')), 'load.lua')
  const target = JSON.stringify(path)
  writeFileSync(
    script,
    `local n = 0
local body = ${body === undefined ? 'nil' : `[==[${body}]==]`}
request = function()
  n = n + 1
  local id = tostring((n * 7) % ${ARTICLES} + 1)
  local path = string.gsub(${target}, "{id}", id)
  local sent = body and string.gsub(string.gsub(body, "{n}", tostring(n)), "{id}", id) or nil
  return wrk.format("${method}", path, { ["content-type"] = "application/json" }, sent)
end
done = function(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout
  print(string.format("RESULT %f %f %f %d", summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
end
`,
  )
  const pinned = spawnSync('taskset', ['-V']).error === undefined ? ['taskset', '-c', '1'] : []
  const [command = 'wrk', ...rest] = [...pinned, 'wrk', '-t1', '-c32', `-d${seconds}s`, '-s', script, url]
  const { stdout } = spawnSync(command, rest, { encoding: 'utf8' })
  const [, perSecond, p50, p99, failed] = /RESULT (\S+) (\S+) (\S+) (\S+)/.exec(stdout) ?? []
  return { perSecond: Number(perSecond), p50: Number(p50), p99: Number(p99), failed: Number(failed) }
}

async function driveAutocannon({ url, path, method = 'GET', body, seconds }: Load): Promise<Figures> {
  let n = 0
  const result = await autocannon({
    url,
    connections: 32,
    duration: seconds,
    requests: [
      {
        method,
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => {
          n += 1
          const id = String(((n * 7) % ARTICLES) + 1)
          const own = { ...request, path: path.replace('{id}', id) }
          if (body === undefined) return own
          return { ...own, body: body.replaceAll('{n}', String(n)).replaceAll('{id}', id) }
        },
      },
    ],
  })
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.non2xx,
  }
}
