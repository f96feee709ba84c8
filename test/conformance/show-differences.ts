// For people at work: `npx tsx test/conformance/show-differences.ts filters sort` prints what differs, and why.
// With `--all` deviations too; with `--case filters-001` one case with both answers; `--allow` takes the differences of
// all cases that a ruling covers into `allowed/`.

import { parseArgs } from 'node:util'
import { linesToAllow, writeAllowed } from './allowed-differences.ts'
import { openRecordedCms, type RecordedCms } from './recorded-cms.ts'
import { type AreaResult, runArea } from './run-area.ts'
import { type Send, sendInProcess, sendOverSocket } from './send.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    allow: { type: 'boolean' },
    case: { type: 'string' },
    brief: { type: 'boolean' },
  },
})
interface Opened {
  readonly recordedCms: RecordedCms
  readonly fetch: Send
  readonly socket: Send
}

const opened = new Map<string | undefined, Opened>()

async function open(variant: string | undefined): Promise<Opened> {
  const found = opened.get(variant)
  if (found !== undefined) return found
  const recordedCms = await openRecordedCms(variant)
  const { url } = await recordedCms.cms.listen(0, '127.0.0.1')
  const both = { recordedCms, fetch: sendInProcess(recordedCms.cms), socket: sendOverSocket(url) }
  opened.set(variant, both)
  return both
}

const runOver = (area: string, door: 'fetch' | 'socket'): Promise<readonly AreaResult[]> =>
  runArea(area, async (variant) => {
    const { recordedCms, [door]: send } = await open(variant)
    return { recordedCms, send }
  })

const ruledOf = (results: readonly AreaResult[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    results
      .filter(({ ruling }) => ruling !== undefined)
      .map(({ one, comparison }) => [one.id, comparison?.differences ?? []]),
  )

for (const area of positionals) {
  const results = await runOver(area, 'fetch')
  if (values.allow === true)
    writeAllowed(area, linesToAllow(ruledOf(results), ruledOf(await runOver(area, 'socket'))))
  const counts: Record<string, number> = {}
  for (const { one, outcome, ours, comparison, ruling } of results) {
    counts[outcome] = (counts[outcome] ?? 0) + 1
    const wanted =
      values.case === undefined ? outcome === 'different' || values.all === true : one.id === values.case
    if (!wanted || outcome === 'equal' || outcome === 'for effect' || values.brief === true) continue
    const { method, path, body, bodyRaw } = one.request
    console.log(`\n${one.id} [${outcome}] ${one.title} ${(one.quirkKeys ?? []).join(' ')}`)
    console.log(`  ${method} ${path} ${JSON.stringify(body ?? bodyRaw ?? '').slice(0, 600)}`)
    for (const difference of comparison?.differences.slice(0, 6) ?? []) console.log(`  ${difference}`)
    if (ruling !== undefined) console.log(`  because ${ruling.reason}`)
    if (values.case !== undefined) console.log(JSON.stringify({ recorded: one.response, ours }, null, 1))
    else if (ours !== undefined && ours.status >= 400)
      console.log(`  ours: ${JSON.stringify(ours.body).slice(0, 400)}`)
  }
  console.log(`${area}: ${JSON.stringify(counts)}`)
}
for (const { recordedCms } of opened.values()) await recordedCms.close()
