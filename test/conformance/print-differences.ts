// What differs in areas of a corpus, for people at work; the arguments are described where it is called.

import { parseArgs } from 'node:util'
import { linesToAllow, writeAllowed } from './allowed-differences.ts'
import type { Corpus } from './corpus.ts'
import type { RecordedCms } from './recorded-cms.ts'
import { type AreaResult, runArea } from './run-area.ts'
import { type Send, sendInProcess, sendOverSocket } from './send.ts'

interface Opened {
  readonly recordedCms: RecordedCms
  readonly fetch: Send
  readonly socket: Send
}

export async function printDifferences(corpus: Corpus): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: 'boolean' },
      allow: { type: 'boolean' },
      case: { type: 'string' },
      brief: { type: 'boolean' },
    },
  })
  const opened = new Map<string | undefined, Opened>()

  async function open(variant: string | undefined): Promise<Opened> {
    const found = opened.get(variant)
    if (found !== undefined) return found
    const recordedCms = await corpus.open(variant)
    const { url } = await recordedCms.cms.listen(0, '127.0.0.1')
    const both = { recordedCms, fetch: sendInProcess(recordedCms.cms), socket: sendOverSocket(url) }
    opened.set(variant, both)
    return both
  }

  const runOver = (area: string, door: 'fetch' | 'socket'): Promise<readonly AreaResult[]> =>
    runArea(corpus, area, async (variant) => {
      const { recordedCms, [door]: send } = await open(variant)
      return { recordedCms, send }
    })

  const areas = positionals.length > 0 ? positionals : Object.keys(corpus.areas)
  const sums: Record<string, number> = {}
  for (const area of areas) {
    const results = await runOver(area, 'fetch').catch((error: unknown) => {
      console.log(`${area} cannot be opened: ${String(error)}`)
      return []
    })
    if (values.allow === true && results.length > 0)
      writeAllowed(
        corpus.allowed,
        area,
        linesToAllow(ruledOf(results), ruledOf(await runOver(area, 'socket'))),
      )
    const counts: Record<string, number> = {}
    for (const result of results) {
      const { one, outcome } = result
      counts[outcome] = (counts[outcome] ?? 0) + 1
      sums[outcome] = (sums[outcome] ?? 0) + 1
      const wanted =
        values.case === undefined ? outcome === 'different' || values.all === true : one.id === values.case
      if (!wanted || outcome === 'equal' || outcome === 'for effect' || values.brief === true) continue
      printResult(result, values.case !== undefined)
    }
    console.log(`${area}: ${JSON.stringify(counts)}`)
  }
  if (areas.length > 1) console.log(`all: ${JSON.stringify(sums)}`)
  for (const { recordedCms } of opened.values()) await recordedCms.close()
}

function printResult({ one, outcome, ours, comparison, ruling }: AreaResult, withAnswers: boolean): void {
  const { method, path, body, bodyRaw } = one.request
  console.log(`\n${one.id} [${outcome}] ${one.title} ${(one.quirkKeys ?? []).join(' ')}`)
  console.log(`  ${method} ${path} ${JSON.stringify(body ?? bodyRaw ?? '').slice(0, 600)}`)
  for (const difference of comparison?.differences.slice(0, 6) ?? []) console.log(`  ${difference}`)
  if (ruling !== undefined) console.log(`  because ${ruling.reason}`)
  if (withAnswers) console.log(JSON.stringify({ recorded: one.response, ours }, null, 1))
  else if (ours !== undefined && ours.status >= 400)
    console.log(`  ours: ${JSON.stringify(ours.body).slice(0, 400)}`)
}

function ruledOf(results: readonly AreaResult[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    results
      .filter(({ ruling }) => ruling !== undefined)
      .map(({ one, comparison }) => [one.id, comparison?.differences ?? []]),
  )
}
