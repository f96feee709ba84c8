// Turns `data` and entries of plugins into entries to store. The model's checks have already reported
// malformed ones.

import type { Config } from '../../config/config.ts'
import type { ContributedEntry } from '../../model/contribution.ts'
import type { DataEntry } from '../../model/data/data-entry.ts'
import { expandData } from '../../model/data/expand-data.ts'
import { getDataModel } from '../../model/data/expansion.ts'
import type { Model } from '../../model/model.ts'
import type { SeedSource } from '../seed/seed-source.ts'
import { makeFakeEntries } from './fake/fake-entries.ts'

export interface SeedOptions {
  readonly seedSources: readonly SeedSource[]
  /** Epoch milliseconds. */
  now(): number
}

export async function planSeed(
  { data, fake }: Pick<Config, 'data' | 'fake'>,
  model: Model,
  { seedSources, now }: SeedOptions,
): Promise<readonly DataEntry[]> {
  const given = seedSources.flatMap(({ entries }) => entries)
  const moment = now()
  const expand = (all: readonly ContributedEntry[]) =>
    expandData({ data, given: all, now: moment }, getDataModel(model))
  let entries = expand(given)
  if (Object.values(fake.counts).some((count) => count > 0)) {
    const made = await makeFakeEntries({ fake, model, entries, now: moment })
    entries = expand([...given, ...made])
  }
  for (const source of seedSources) entries = await source.complete(entries)
  return entries
}
