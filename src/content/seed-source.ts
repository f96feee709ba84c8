// The extension point for seeds: a plugin can complete entries of `data` with what it knows, once the tables exist.

import type { Config } from '../config/config.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'

export interface SeedSource {
  /** Returns the same data if there is nothing to complete. */
  complete(data: Config['data']): Promise<Config['data']>
  /** The place of an entry of the completed data in the file: a path below `data`, unless it came from elsewhere. */
  placeOf(path: DiagnosticPath): DiagnosticPath
  /** Content-types whose entries do not come from `data`: they stay when `data` is loaded again. */
  readonly kept: readonly string[]
}
