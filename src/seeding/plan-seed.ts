// Turns `data` of the configuration, and what plugins add to it, into the entries to store. The checks of the model have
// reported all faults of their form already.

import type { Config } from '../config/config.ts'
import type { SeedSource } from '../content/seed-source.ts'
import type { DataEntry } from '../model/data/data-entry.ts'
import { expandData } from '../model/data/expand-data.ts'
import { dataModelOf } from '../model/data/expansion.ts'
import type { Model } from '../model/model.ts'

export interface SeedParts {
  readonly seedSources: readonly SeedSource[]
  /** Epoch milliseconds. */
  now(): number
}

export async function planSeed(
  { data }: Pick<Config, 'data'>,
  model: Model,
  { seedSources, now }: SeedParts,
): Promise<readonly DataEntry[]> {
  const given = seedSources.flatMap(({ entries }) => entries)
  let entries = expandData({ data, given, now: now() }, dataModelOf(model))
  for (const source of seedSources) entries = await source.complete(entries)
  return entries
}
