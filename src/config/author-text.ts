// Writes values as an author would. Text from elsewhere is escaped, so that it cannot name variables of the
// environment.

import { isRecord } from '../lib/is-record.ts'

/** Read when the written file is loaded. */
export class EnvironmentVariable {
  readonly name: string
  /** For a missing or empty variable. */
  readonly otherwise: string

  constructor(name: string, otherwise = '') {
    this.name = name
    this.otherwise = otherwise
  }
}

export function escapeText(text: string): string {
  return text.replaceAll('${', () => '$${')
}

/** Keys are never interpolated. */
export function toAuthorText(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (value instanceof EnvironmentVariable) return `\${${value.name}:-${value.otherwise}}`
  if (Array.isArray(value)) return value.map(toAuthorText)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toAuthorText(item)]))
}
