// The tests of a corpus: every recorded case through each door, and that areas, rulings and lists fit together.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { allowedCases } from './allowed-differences.ts'
import type { Corpus } from './corpus.ts'
import { readGroups } from './recorded-case.ts'
import type { RecordedCms } from './recorded-cms.ts'
import { type AreaResult, type Open, runArea } from './run-area.ts'
import { type Send, sendInProcess, sendOverSocket } from './send.ts'
import { type Counts, countOutcomes, summarize } from './summary.ts'

export type Door = 'fetch' | 'socket'

/** `areas`: those that are asked through this door. */
export function describeDoor(corpus: Corpus, door: Door, areas: readonly string[]): void {
  describe(`over ${door}`, () => {
    const opened = new Map<string | undefined, Promise<{ recordedCms: RecordedCms; send: Send }>>()
    const counts = new Map<string, Counts>()

    const open: Open = (variant) => {
      const found = opened.get(variant) ?? openDoor(corpus, variant, door)
      opened.set(variant, found)
      return found
    }

    afterAll(async () => {
      for (const { recordedCms } of await Promise.all(opened.values())) await recordedCms.close()
      process.stdout.write(`\n${summarize(door, corpus.areas, counts)}\n`)
    })

    test.each(areas)('%s', async (area) => {
      const results = await runArea(corpus, area, open)
      const counted = countOutcomes(results)
      counts.set(area, counted)
      const standing = corpus.areas[area]
      const different = results.filter(({ outcome }) => outcome === 'different').map(explained)
      if (standing === 'green') {
        expect(different).toEqual([])
        const ruled = results.filter(({ ruling }) => ruling !== undefined).map(({ one }) => one.id)
        const unsent = results.filter(({ outcome }) => outcome === 'not sent').map(({ one }) => one.id)
        const idle = [...allowedCases(corpus.allowed, area)].filter(
          (id) => !ruled.includes(id) && !unsent.includes(id),
        )
        expect(idle, 'allowed to differ, and does not').toEqual([])
        return
      }
      expect(counted.equal + counted.wording, `${area} had more equal answers before`).toBeGreaterThanOrEqual(
        standing?.equal ?? Number.POSITIVE_INFINITY,
      )
    })
  })
}

export function describeLists({ areas, rulings, recorded, allowed }: Corpus): void {
  test('every recorded area is listed', () => {
    const names = readdirSync(join(recorded, 'cases')).map((name) => name.replace(/\.json$/, ''))
    expect(Object.keys(areas).sort()).toEqual(names.sort())
  })

  test('every ruling has a reason and cannot excuse a failure of ours', () => {
    for (const [key, { reason, statuses }] of Object.entries(rulings)) {
      expect(reason.length, key).toBeGreaterThan(10)
      for (const status of statuses) expect(status, key).toBeLessThan(502)
      expect(statuses, key).not.toContain(500)
    }
  })

  test('every ruling is about some case', () => {
    const cases = Object.keys(areas).flatMap((area) => {
      const listed = allowedCases(allowed, area)
      return [...readGroups(area, recorded).values()].flat().filter(({ id }) => listed.has(id))
    })
    const about = new Set(cases.flatMap(({ id, quirkKeys = [] }) => [id, ...quirkKeys]))
    const idle = Object.entries(rulings).filter(
      ([key, ruling]) => !about.has(key) && ruling.cases?.some((id) => about.has(id)) !== true,
    )
    expect(idle.map(([key]) => key)).toEqual([])
  })
}

async function openDoor(
  corpus: Corpus,
  variant: string | undefined,
  door: Door,
): Promise<{ recordedCms: RecordedCms; send: Send }> {
  const recordedCms = await corpus.open(variant)
  if (door === 'fetch') return { recordedCms, send: sendInProcess(recordedCms.cms) }
  const { url } = await recordedCms.cms.listen(0, '127.0.0.1')
  return { recordedCms, send: sendOverSocket(url) }
}

function explained({ one, comparison }: AreaResult): string {
  return `${one.id} ${one.title}: ${comparison?.differences.slice(0, 4).join('; ')}`
}
