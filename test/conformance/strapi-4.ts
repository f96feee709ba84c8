// The corpus of this folder: what Strapi 4.25.24 answered.

import { join } from 'node:path'
import { areas } from './areas.ts'
import { strictLikeness } from './compare.ts'
import type { Corpus } from './corpus.ts'
import { rulings } from './deviations.ts'
import { recorded } from './recorded-case.ts'
import { openRecordedCms } from './recorded-cms.ts'

export const strapi4: Corpus = {
  recorded,
  allowed: join(import.meta.dirname, 'allowed'),
  areas,
  rulings,
  likeness: strictLikeness,
  open: (variant) => openRecordedCms(variant),
}
