// One recorded corpus: where it lies, how its configuration is opened, what counts as equal, and where its areas stand.
// `strapi-4.ts` is the one of this folder.

import type { Standing } from './areas.ts'
import type { Likeness } from './compare.ts'
import type { Ruling } from './deviations.ts'
import type { RecordedCms } from './recorded-cms.ts'

export interface Corpus {
  /** The folder with `cases/<area>.json`. */
  readonly recorded: string
  /** The folder with `<area>.json`: how exactly deviating answers differ. */
  readonly allowed: string
  readonly areas: Readonly<Record<string, Standing>>
  readonly rulings: Readonly<Record<string, Ruling>>
  readonly likeness: Likeness
  open(variant: string | undefined): Promise<RecordedCms>
}
