// The extension point for seeds: a plugin adds entries to `data`, and completes entries once the tables
// exist.

import type { ContributedEntry } from '../../model/contribution.ts'
import type { DataEntry } from '../../model/data/data-entry.ts'

export interface SeedSource {
  readonly entries: readonly ContributedEntry[]
  /** Keeps number and order. */
  complete(entries: readonly DataEntry[]): Promise<readonly DataEntry[]>
  /** Their entries stay when `data` is loaded again. */
  readonly kept: readonly string[]
}
