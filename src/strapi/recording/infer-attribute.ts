// Guesses an attribute's type from its values in responses, which show no limits or requirements.

import { isRecord } from '../../lib/is-record.ts'
import type { Json } from '../import/strapi-source.ts'
import { getRelated } from './exchange.ts'

type Guess =
  | { readonly kind: 'scalar'; readonly attribute: Json }
  | { readonly kind: 'relation'; readonly many: boolean; readonly values: readonly unknown[] }
  | { readonly kind: 'component'; readonly repeatable: boolean; readonly values: readonly Json[] }
  | { readonly kind: 'dynamiczone'; readonly values: readonly Json[] }

const SCALARS: readonly (readonly [string, (value: unknown) => boolean])[] = [
  ['boolean', (value) => typeof value === 'boolean'],
  ['integer', (value) => Number.isSafeInteger(value)],
  ['float', (value) => typeof value === 'number'],
  [
    'datetime',
    (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value),
  ],
  ['date', (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)],
  ['time', (value) => typeof value === 'string' && /^\d\d:\d\d:\d\d(\.\d+)?$/.test(value)],
  ['string', (value) => typeof value === 'string' && value.length <= 255 && !value.includes('\n')],
  ['text', (value) => typeof value === 'string'],
]

/** Undefined if there are only nulls, or files, which are not recorded. */
export function guessAttribute(values: readonly unknown[]): Guess | undefined {
  const known = values.filter((value) => value !== null && value !== undefined)
  const related = values.map((value) => getRelated(value))
  if (known.length > 0 && known.every((value) => getRelated(value) !== undefined)) {
    const entries = related.flatMap((one) => one?.entries ?? [])
    // A relation without entries looks like an empty media field.
    if (entries.length === 0) return undefined
    if (entries.some(({ attributes }) => 'mime' in attributes && 'url' in attributes)) return undefined
    return { kind: 'relation', many: related.some((one) => one?.many === true), values: known }
  }
  const members = known.flatMap((value) => (Array.isArray(value) ? value : [value]))
  if (members.length > 0 && members.every(isPart)) {
    if (members.every((one) => typeof one['__component'] === 'string'))
      return { kind: 'dynamiczone', values: members }
    return { kind: 'component', repeatable: known.some(Array.isArray), values: members }
  }
  const scalar = SCALARS.find(([, is]) => known.length > 0 && known.every(is))
  if (scalar !== undefined) return { kind: 'scalar', attribute: { type: scalar[0] } }
  if (known.length === 0)
    return values.length === 0 ? undefined : { kind: 'scalar', attribute: { type: 'string' } }
  // An empty list may be anything.
  if (known.every((value) => Array.isArray(value) && value.length === 0)) return undefined
  return { kind: 'scalar', attribute: { type: 'json' } }
}

/** An entry of a component has an id, but no nested `attributes`. */
function isPart(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && (typeof value['id'] === 'number' || typeof value['__component'] === 'string')
}
