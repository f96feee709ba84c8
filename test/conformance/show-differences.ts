// For people at work: `npx tsx test/conformance/show-differences.ts filters sort` prints what differs, and why.
// With `--all` deviations too; with `--case filters-001` one case with both answers.

import { parseArgs } from 'node:util'
import { openRecordedCms, type RecordedCms } from './recorded-cms.ts'
import { runArea } from './run-area.ts'
import { sendInProcess } from './send.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, case: { type: 'string' }, brief: { type: 'boolean' } },
})
const opened = new Map<string | undefined, RecordedCms>()
for (const area of positionals) {
  const results = await runArea(area, async (variant) => {
    const recordedCms = opened.get(variant) ?? (await openRecordedCms(variant))
    opened.set(variant, recordedCms)
    return { recordedCms, send: sendInProcess(recordedCms.cms) }
  })
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
for (const recordedCms of opened.values()) await recordedCms.close()
