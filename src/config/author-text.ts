// What a tool knows -> what an author would have written for it. Interpolation is for the author's own text: text that
// came from elsewhere is escaped, so that reading the file gives it back and no variable of the environment with it.

import { isRecord } from '../util/is-record.ts'

/** Stands in a value for `asAuthorText`: the variable is read when the written file is loaded. */
export class EnvironmentVariable {
  readonly name: string
  /** Where it is missing or empty. */
  readonly otherwise: string

  constructor(name: string, otherwise = '') {
    this.name = name
    this.otherwise = otherwise
  }
}

/** Interpolation of the outcome gives the text back, whatever it holds. */
export function escapeText(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** A copy in which every text is escaped and every `EnvironmentVariable` is a reference. Keys are never interpolated. */
export function asAuthorText(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof EnvironmentVariable) return `\${${value.name}:-${value.otherwise}}`
  if (Array.isArray(value)) return value.map(asAuthorText)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asAuthorText(item)]))
}
