// `npm run bench`: requests per second of the built server beside a raw and a hand-written one, in one run.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { benchConfig } from './article-model.ts'
import { coldStart } from './cold-start.ts'
import { client, drive, type Figures } from './drive.ts'
import { reloadUnderLoad } from './reload.ts'
import { scale } from './scale.ts'
import { pinned, startProcess } from './start-process.ts'

const here = dirname(fileURLToPath(import.meta.url))
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const folder = mkdtempSync(join(tmpdir(), 'cms-run-bench-'))
const file = join(folder, 'cms.yaml')
writeFileSync(file, benchConfig())

console.log(
  `node ${process.version}, ${cpus()[0]?.model}, client ${client}, ${pinned ? 'pinned' : 'not pinned'}\n`,
)

const ours = await startProcess([join(here, '../dist/cli.js'), file, '--port', '0', '--no-watch'])
const hand = await startProcess(['--import', 'tsx', join(here, 'hand-written.ts')])

const FILTERED = '/api/articles?filters[views][$gt]=5000&sort=views:desc'
const POPULATED = '/api/articles?populate=author,tags'
const rows: readonly { readonly name: string; readonly path: string; readonly beside: string | undefined }[] =
  [
    { name: 'findOne, every request another id', path: '/api/articles/{id}', beside: '/api/articles/{id}' },
    { name: 'list of 25', path: '/api/articles', beside: '/api/articles' },
    { name: 'list of 25, filtered and sorted', path: FILTERED, beside: FILTERED },
    { name: 'list of 25, two relations populated', path: POPULATED, beside: POPULATED },
  ]

await assertSameBytes()
// The first seconds compile; they are not counted.
await drive({ url: ours.url, path: '/api/articles/{id}', seconds: 1 })
await drive({ url: hand.url, path: '/api/articles/{id}', seconds: 1 })

const raw = await drive({ url: hand.url, path: '/raw', seconds })
print('raw uWebSockets, same bytes', raw, undefined)
for (const { name, path, beside } of rows) {
  const other = beside === undefined ? undefined : await drive({ url: hand.url, path: beside, seconds })
  if (other !== undefined) print(`hand-written: ${name}`, other, undefined)
  print(name, await drive({ url: ours.url, path, seconds }), other)
}
print(
  'create',
  await drive({
    url: ours.url,
    path: '/api/articles',
    method: 'POST',
    body: '{"data":{"title":"New article {n}","slug":"new-{n}","views":1}}',
    seconds,
  }),
  undefined,
)
await ours.stop()
await hand.stop()

await coldStart()
await reloadUnderLoad()
await scale()

function print(name: string, figures: Figures, beside: Figures | undefined): void {
  const ratio =
    beside === undefined
      ? ''
      : `  ${((100 * figures.perSecond) / beside.perSecond).toFixed(0)} % of hand-written`
  const rate = figures.perSecond.toFixed(0).padStart(8)
  const latency = `p50 ${figures.p50.toFixed(2)} ms  p99 ${figures.p99.toFixed(2)} ms`
  console.log(`${name.padEnd(52)}${rate}/s  ${latency}  failed ${figures.failed}${ratio}`)
}

async function assertSameBytes(): Promise<void> {
  for (const path of ['/api/articles/17', '/api/articles', FILTERED, POPULATED]) {
    const [one, two] = await Promise.all(
      [ours, hand].map(async ({ url }) => (await fetch(url + path)).text()),
    )
    if (one !== two)
      throw new Error(
        `${path}: the two servers answer other bytes\n${one?.slice(0, 500)}\n${two?.slice(0, 500)}`,
      )
  }
}
