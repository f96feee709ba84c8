// The extension point for seeds: a plugin can add entries to those of `data`, and complete entries with what it knows
// once the tables exist.

import type { GivenEntry } from '../../model/contribution.ts'
import type { DataEntry } from '../../model/data/data-entry.ts'

export interface SeedSource {
  /** The same as those of the plugin's contribution to the model. */
  readonly entries: readonly GivenEntry[]
  /** Returns as many entries, in the same order. */
  complete(entries: readonly DataEntry[]): Promise<readonly DataEntry[]>
  /** Content-types whose entries do not come from `data`: they stay when `data` is loaded again. */
  readonly kept: readonly string[]
}
