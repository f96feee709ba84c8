// Parses the parameters of two plugins of Strapi that populate everything, several levels deep. The setting `rest.populateDeep`
// accepts them and limits their levels.

import { ApiError } from '../lib/errors/api-error.ts'
import type { PopulateInput } from '../plan/params.ts'
import type { ParsedQuery, QueryValue } from './query-string.ts'

export interface DeepRules {
  /** The default and the maximum number of levels; undefined: the parameters are unknown. */
  readonly populateDeep?: number | undefined
}

/** `populate=deep` and `populate=deep,3` of strapi-plugin-populate-deep; undefined for another populate. */
export function parseDeepPopulate(value: QueryValue, most: number): PopulateInput | undefined {
  const [word, levels = null] = listWords(value)
  if (word !== 'deep') return undefined
  return buildDeep('strapi-4', parseLevels('populate', levels, most), []) ?? new Map()
}

export const LEVEL_PARAMETERS: ReadonlySet<string> = new Set(['pLevel', 'pIgnore'])

/** `pLevel`, `pLevel=3` and `pIgnore=author,tags` of strapi-v5-plugin-populate-deep. */
export function parseLevelParameters(
  { pLevel: levels, pIgnore: ignored = null }: ParsedQuery,
  most: number,
): PopulateInput | undefined {
  if (levels === undefined) return undefined
  return buildDeep('strapi-5', parseLevels('pLevel', levels, most), listWords(ignored))
}

function buildDeep(
  rules: 'strapi-4' | 'strapi-5',
  levels: number,
  ignored: readonly string[],
): PopulateInput | undefined {
  return levels < 2 ? undefined : { levels, ignored: new Set(ignored), rules }
}

function parseLevels(param: string, value: QueryValue, most: number): number {
  if (value === null || value === '') return most
  if (typeof value === 'string' && /^\d+$/.test(value)) return Math.min(Number(value), most)
  throw new ApiError(
    'ValidationError',
    `Invalid parameter ${param}: expected a whole number of levels, up to ${most}`,
  )
}

function listWords(value: QueryValue): readonly string[] {
  const texts = [value].flat().filter((one) => typeof one === 'string')
  return texts.flatMap((text) => text.split(',')).map((word) => word.trim())
}
