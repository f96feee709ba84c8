// Turns values into the text that an author would write for them. Only the author's own text is interpolated: text from
// elsewhere is escaped, so that reading the file gives the same text back, without variables of the environment.

import { isRecord } from '../lib/is-record.ts'

/** A placeholder for `asAuthorText`: the variable is read when the written file is loaded. */
export class EnvironmentVariable {
  readonly name: string
  /** The value to use when the variable is missing or empty. */
  readonly otherwise: string

  constructor(name: string, otherwise = '') {
    this.name = name
    this.otherwise = otherwise
  }
}

/** Escapes a text so that interpolation returns it unchanged. */
export function escapeText(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/**
 * Copies a value with every text escaped and every `EnvironmentVariable` as a reference. Keys are never interpolated.
 */
export function asAuthorText(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof EnvironmentVariable) return `\${${value.name}:-${value.otherwise}}`
  if (Array.isArray(value)) return value.map(asAuthorText)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asAuthorText(item)]))
}
