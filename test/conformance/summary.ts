// What came of the cases, area by area, as a table for people.

import type { Standing } from './areas.ts'
import type { AreaResult, Outcome } from './run-area.ts'

const COUNTED: readonly Outcome[] = ['equal', 'wording', 'deviation', 'different']

export type Counts = Readonly<Record<Outcome, number>>

export function countOutcomes(results: readonly AreaResult[]): Counts {
  const counts = { equal: 0, wording: 0, deviation: 0, different: 0, 'not sent': 0, 'for effect': 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}

/** Lines of a table; the last one sums up the areas that are green. */
export function summarize(
  door: string,
  areas: Readonly<Record<string, Standing>>,
  counts: ReadonlyMap<string, Counts>,
): string {
  const rows = [...counts].map(([area, one]) => {
    const note = areas[area] === 'green' ? '' : one.different === 0 ? 'green: say so' : 'pending'
    return [area, ...COUNTED.map((outcome) => String(one[outcome])), note]
  })
  const green = [...counts].filter(([area]) => areas[area] === 'green')
  const sums = COUNTED.map((outcome) => String(green.reduce((sum, [, one]) => sum + one[outcome], 0)))
  const table = [[`over ${door}`, ...COUNTED, ''], ...rows, ['green areas', ...sums, '']]
  const width = Math.max(...table.map(([first = '']) => first.length))
  return table
    .map(
      ([first = '', ...cells]) => `${first.padEnd(width)} ${cells.map((cell) => cell.padStart(10)).join('')}`,
    )
    .join('\n')
}
