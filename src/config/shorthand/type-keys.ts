// Tells keys of a content-type or component from names of attributes.

import { didYouMean } from '../../lib/did-you-mean.ts'
import { isRecord } from '../../lib/is-record.ts'

const KINDS: ReadonlySet<unknown> = new Set(['collectionType', 'singleType', 'single', 'collection'])
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'

/**
 * An attribute may have the same name, since its value differs: `kind: singleType` is a key, `kind: string`
 * an attribute.
 */
const ownKeys: Readonly<Record<string, (value: unknown) => boolean>> = {
  attributes: (value) => typeof value !== 'string',
  kind: (value) => KINDS.has(value),
  renamedFrom: (value) => typeof value === 'string',
  collectionName: (value) => typeof value === 'string',
  info: isRecord,
  options: isRecord,
  pluginOptions: isRecord,
  rest: isRecord,
  drafts: (value) => isBoolean(value) || (isRecord(value) && Object.hasOwn(value, 'off')),
  draftAndPublish: isBoolean,
  unique: Array.isArray,
  index: Array.isArray,
  checks: Array.isArray,
}

export function isTypeKey(
  key: string,
  value: unknown,
  others: Readonly<Record<string, (value: unknown) => boolean>>,
): boolean {
  return [ownKeys, others].some((keys) => Object.hasOwn(keys, key) && keys[key]?.(value) === true)
}

export function findNearTypeKey(key: string, others: Readonly<Record<string, unknown>>): string | undefined {
  return didYouMean(key, [...Object.keys(ownKeys), ...Object.keys(others)])
}
