// The socket for seeds: whoever knows more of some entries than `data` says completes them, when the tables are there.

import type { Config } from '../config/config.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'

export interface SeedSource {
  /** The same where there is nothing to complete. */
  complete(data: Config['data']): Promise<Config['data']>
  /** Where an entry of the completed data stands in the file: a path below `data`, unless it came from elsewhere. */
  placeOf(path: DiagnosticPath): DiagnosticPath
  /** Content-types whose entries are not those of `data`: they stay when it is loaded again. */
  readonly kept: readonly string[]
}
