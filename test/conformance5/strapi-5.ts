// The corpus of this folder: what Strapi 5.54.0 answered, for the model and the data of `../conformance` in the dialect
// strapi-5.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Corpus } from '../conformance/corpus.ts'
import { openRecordedCms, type SeedData } from '../conformance/recorded-cms.ts'
import { areas } from './areas.ts'
import { rulings } from './deviations.ts'
import { shareUnlocalized } from './share-unlocalized.ts'

type Json = Record<string, unknown>

const recorded = join(import.meta.dirname, 'recorded')

const documents = JSON.parse(readFileSync(join(recorded, 'documents.json'), 'utf8')) as Readonly<
  Record<string, readonly { readonly documentId: string }[]>
>
const seeded = new Set(
  Object.values(documents)
    .flat()
    .map(({ documentId }) => documentId),
)

const DOCUMENT_ID = /\b[a-z][a-z0-9]{23}\b/g
const ROW_ID = /"id":\d+/g

export const strapi5: Corpus = {
  recorded,
  allowed: join(import.meta.dirname, 'allowed'),
  areas,
  rulings,
  likeness: {
    anyRowId: true,
    withoutMade: (text) =>
      text.replace(DOCUMENT_ID, (id) => (seeded.has(id) ? id : '<documentId>')).replace(ROW_ID, '"id":<row>'),
  },
  open: (variant) => openRecordedCms(variant, { folder: recorded, config: dialectOf, data: dataOf }),
}

/** The configuration of the v4 corpus, with the patch of this one. */
export function dialectOf(config: Json): Json {
  const patch = parse(readFileSync(join(recorded, 'cms.patch.yaml'), 'utf8')) as Json
  return { ...patched(config, patch), dialect: 'strapi-5' }
}

/** Null removes, maps merge, everything else replaces. */
function patched(base: Json, patch: Json): Json {
  const result = { ...base }
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (isMap(value) && isMap(result[key])) result[key] = patched(result[key], value)
    else result[key] = value
  }
  return result
}

function dataOf(data: SeedData, config: Json): SeedData {
  return shareUnlocalized(withoutNotes(data), config['contentTypes'] as Json)
}

/** The patch takes this attribute out of the model. */
function withoutNotes(data: SeedData): SeedData {
  const restaurants = (data['api::restaurant.restaurant'] ?? []).map(({ notes: _, ...others }) => others)
  return { ...data, 'api::restaurant.restaurant': restaurants }
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
