// The state of an entry's form: the values in it, the stored values, and the request that saves them.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { type Fault, RequestError } from '../server.ts'
import { isEqual } from './conflict.tsx'
import type { KeptDraft } from './kept-drafts.ts'
import type { Values } from './values.ts'
import type { Target } from './write.ts'

/** A save as it was sent, which is repeated unchanged. */
export interface SaveRequest {
  readonly target: Target
  readonly sent: Values
  readonly publish: boolean | undefined
  /** All values of the form when it was sent. */
  readonly values: Values
  /** Whether it can be repeated without asking: nothing is written twice, or over others. */
  readonly repeatable: boolean
}

export type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  | { readonly kind: 'waiting'; readonly request: SaveRequest; readonly attempts: number }

export interface FormState {
  /** Undefined until it was read, null for a new entry. */
  readonly entry: Entry | null | undefined
  readonly values: Values
  readonly original: Values
  readonly tag: string | undefined
  readonly faults: readonly Fault[]
  /** Counts refusals, so that the focus moves at each. */
  readonly refusals: number
  readonly conflicts: Values
  readonly said: { readonly text: string; readonly wrong: boolean } | undefined
  readonly progress: Progress
  readonly offered: KeptDraft | undefined
}

export const FIRST_STATE: FormState = {
  entry: undefined,
  values: {},
  original: {},
  tag: undefined,
  faults: [],
  refusals: 0,
  conflicts: {},
  said: undefined,
  progress: { kind: 'idle' },
  offered: undefined,
}
export function pickChanged(values: Values, before: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => !isEqual(value, before[name])))
}

export function isNews(draft: Values, values: Values): boolean {
  return Object.entries(draft).some(([name, value]) => !isEqual(value, values[name]))
}

/** Private values that were not shown are not known to be missing. */
export function isChecked(
  { name, private: hidden, type }: Attribute,
  isNew: boolean,
  values: Values,
): boolean {
  return isNew || name in values || (hidden !== true && type !== 'password')
}

/** In Strapi 4 a save of a published entry is seen by readers at once. */
export function isLive(model: Model, entry: Entry | null): boolean {
  return model.dialect === 'strapi-4' && entry !== null && entry['publishedAt'] !== null
}

export function labelAll(type: Type, names: readonly string[]): readonly string[] {
  return names.map((name) => type.attributes.find((one) => one.name === name)?.label ?? name)
}

export function isUnreachable(error: unknown): boolean {
  return !(error instanceof RequestError) || [502, 503, 504].includes(error.status)
}

/** `crypto.randomUUID` is missing on pages that are not secure. */
export function buildRequestKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')
}
