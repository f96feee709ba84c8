// The cases of one area, group by group, each group from the seeded state.

import { isAllowed } from './allowed-differences.ts'
import type { Answer, Comparison } from './compare.ts'
import type { Corpus } from './corpus.ts'
import { type Ruling, rulingOf } from './deviations.ts'
import { type RecordedCase, readGroups } from './recorded-case.ts'
import type { RecordedCms } from './recorded-cms.ts'
import { runCase, startGroup } from './run-case.ts'
import type { Send } from './send.ts'

export type Outcome = 'equal' | 'wording' | 'deviation' | 'different' | 'not sent' | 'for effect'

export interface AreaResult {
  readonly one: RecordedCase
  readonly outcome: Outcome
  readonly ours: Answer | undefined
  readonly comparison: Comparison | undefined
  readonly ruling: Ruling | undefined
}

/** A CMS of a variant and the door to it. */
export type Open = (variant: string | undefined) => Promise<{ recordedCms: RecordedCms; send: Send }>

export async function runArea(
  { recorded, allowed, rulings, likeness }: Corpus,
  area: string,
  open: Open,
): Promise<readonly AreaResult[]> {
  const results: AreaResult[] = []
  for (const cases of readGroups(area, recorded).values()) {
    const { recordedCms, send } = await open(cases[0]?.variant)
    await recordedCms.reset()
    const state = startGroup(recordedCms, likeness)
    for (const one of cases) {
      const { ours, comparison } = await runCase(one, recordedCms, send, state, likeness)
      const ruling =
        ours !== undefined && comparison?.verdict === 'different'
          ? rulingOf(one, ours.status, rulings)
          : undefined
      const isListed = ruling !== undefined && isAllowed(allowed, area, one.id, comparison?.differences ?? [])
      results.push({ one, ours, comparison, ruling, outcome: outcomeOf(one, comparison, isListed) })
    }
  }
  return results
}

function outcomeOf(one: RecordedCase, comparison: Comparison | undefined, allowed: boolean): Outcome {
  if (one.response === null) return 'for effect'
  if (comparison === undefined) return 'not sent'
  if (comparison.verdict === 'represented') return 'deviation'
  if (comparison.verdict !== 'different') return comparison.verdict
  return allowed ? 'deviation' : 'different'
}
