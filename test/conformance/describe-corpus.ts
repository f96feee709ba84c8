// The tests of a corpus: every recorded case through each door, and that areas, rulings and lists fit together.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { allowedCases } from './allowed-differences.ts'
import type { Corpus } from './corpus.ts'
import { readGroups } from './recorded-case.ts'
import type { RecordedCms } from './recorded-cms.ts'
import { type AreaResult, type Open, runArea } from './run-area.ts'
import { type Send, sendInProcess, sendOverSocket } from './send.ts'
import { type Counts, countOutcomes, summarize } from './summary.ts'

type Door = 'fetch' | 'socket'

interface OpenVariant {
  readonly recordedCms: RecordedCms
  readonly send: Readonly<Record<Door, Send>>
}

/** Each area over `fetch`, and those of `overSocket` over a socket as well. */
export function describeAreas(corpus: Corpus, overSocket: readonly string[]): void {
  const opened = new Map<string | undefined, Promise<OpenVariant>>()
  const counts = { fetch: new Map<string, Counts>(), socket: new Map<string, Counts>() }

  const openOnce = (variant: string | undefined): Promise<OpenVariant> => {
    const found = opened.get(variant) ?? openVariant(corpus, variant)
    opened.set(variant, found)
    return found
  }

  const close = async (variants: readonly (string | undefined)[]): Promise<void> => {
    for (const variant of variants) {
      const found = opened.get(variant)
      opened.delete(variant)
      await (await found)?.recordedCms.close()
    }
  }

  afterAll(async () => {
    await close([...opened.keys()])
    for (const [door, counted] of Object.entries(counts))
      process.stdout.write(`\n${summarize(door, corpus.areas, counted)}\n`)
  })

  describe.each(Object.keys(corpus.areas))('%s', (area) => {
    // Each holds connections to its database, and a variant belongs to one area.
    const closeVariants = () => close([...opened.keys()].filter((variant) => variant !== undefined))
    afterAll(closeVariants)
    // Limits go on counting.
    if (area === 'variant-ratelimit') afterEach(closeVariants)

    const doors: readonly Door[] = overSocket.includes(area) ? ['fetch', 'socket'] : ['fetch']
    test.each(doors)('over %s', async (door) => {
      const open: Open = async (variant) => {
        const { recordedCms, send } = await openOnce(variant)
        return { recordedCms, send: send[door] }
      }
      const results = await runArea(corpus, area, open)
      const counted = countOutcomes(results)
      counts[door].set(area, counted)
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

async function openVariant(corpus: Corpus, variant: string | undefined): Promise<OpenVariant> {
  const recordedCms = await corpus.open(variant)
  const { url } = await recordedCms.cms.listen(0, '127.0.0.1')
  return { recordedCms, send: { fetch: sendInProcess(recordedCms.cms), socket: sendOverSocket(url) } }
}

function explained({ one, comparison }: AreaResult): string {
  return `${one.id} ${one.title}: ${comparison?.differences.slice(0, 4).join('; ')}`
}
