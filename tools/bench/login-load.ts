// `npx tsx tools/bench/login-load.ts [pairs] [seconds]`: reads of content while logins queue. A server in a process of its own is
// read over sockets, in turns without logins and with so many of them always waiting; pairs of neighbouring turns are
// compared, because the machine is shared. `CMS_BENCH_LOGINS` says how many logins wait (50).

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { startProcess } from './start-process.ts'

const pairs = Number(process.argv[2] ?? 8)
const seconds = Number(process.argv[3] ?? 3)
const logins = Number(process.env['CMS_BENCH_LOGINS'] ?? 50)
const here = dirname(fileURLToPath(import.meta.url))

const file = join(mkdtempSync(join(tmpdir(), 'cms-run-bench-')), 'cms.json')
writeFileSync(
  file,
  JSON.stringify({
    contentTypes: { article: { attributes: { title: 'string', views: 'integer' } } },
    plugins: { 'users-permissions': { config: { ratelimit: { enabled: false } } } },
    auth: {
      roles: { public: { permissions: ['article.find', 'plugin::users-permissions.auth.callback'] } },
      users: [{ username: 'present', email: 'present@example.com', password: 'Passw0rd!bench' }],
    },
    data: { article: Array.from({ length: 100 }, (_, n) => ({ title: `Article ${n}`, views: n })) },
  }),
)
const command = ['--import', 'tsx', join(here, '../../src/cli/bin.ts'), file, '--port', '0', '--no-watch']
const server = await startProcess(command, '0,1')
const body = '{"identifier":"present","password":"wrong password"}'
let loggingIn = false
const answered = { logins: 0, refused: 0 }

async function keepLoggingIn(): Promise<void> {
  while (loggingIn) {
    const answer = await fetch(`${server.url}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await answer.arrayBuffer()
    if (answer.status === 503) answered.refused += 1
    else answered.logins += 1
  }
}

async function reads(): Promise<{ readonly perSecond: number; readonly p99: number }> {
  const result = await autocannon({ url: `${server.url}/api/articles`, connections: 16, duration: seconds })
  return { perSecond: result.requests.average, p99: result.latency.p99 }
}

await reads()
const ratios: number[] = []
for (let pair = 0; pair < pairs; pair++) {
  const measure = async (busy: boolean) => {
    loggingIn = busy
    const running = Array.from({ length: busy ? logins : 0 }, keepLoggingIn)
    const result = await reads()
    loggingIn = false
    await Promise.all(running)
    return result
  }
  // In both orders, so that a machine that slows down slows both.
  const first = await measure(pair % 2 === 1)
  const second = await measure(pair % 2 === 0)
  const [idle, busy] = pair % 2 === 0 ? [first, second] : [second, first]
  ratios.push(busy.perSecond / idle.perSecond)
  console.log(
    `idle ${idle.perSecond.toFixed(0)}/s p99 ${idle.p99} ms, with logins ${busy.perSecond.toFixed(0)}/s p99 ${busy.p99} ms: ${(100 * (ratios.at(-1) ?? 0)).toFixed(0)} %`,
  )
}
await server.stop()
ratios.sort((a, b) => a - b)
const middle = ratios.length / 2
const median = ((ratios[Math.floor(middle)] ?? 0) + (ratios[Math.ceil(middle) - 1] ?? 0)) / 2
const perSecond = answered.logins / (pairs * seconds)
console.log(
  `reads keep ${(100 * median).toFixed(0)} % (median of ${pairs} pairs); ${perSecond.toFixed(1)} logins a second, ${answered.refused} refused with 503`,
)
