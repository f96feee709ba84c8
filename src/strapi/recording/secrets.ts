// Texts that must not be written: values under the names of secrets, and known tokens.

import { isRecord } from '../../lib/is-record.ts'

const NAMES = /passw(?:or)?d|passcode|secret|token|jwt|api[-_]?key|authorization|credential|session|cookie/i

export function isSecretName(name: string): boolean {
  return NAMES.test(name)
}

/** Whether the query of a request has a secret, such as `access_token`. */
export function hasSecret(query: string): boolean {
  return [...new URLSearchParams(query)].some(([name, value]) => isSecretName(name) && value !== '')
}

/** The text in place of a value that must not be written. */
export const HIDDEN = 'hidden-by-cms-run'

/** A copy in which values under secret names are `HIDDEN`, or left out, and texts with a known secret are `HIDDEN`. */
export function withoutSecrets(value: unknown, known: ReadonlySet<string>, leaveOut: boolean): unknown {
  if (typeof value === 'string') return [...known].some((secret) => value.includes(secret)) ? HIDDEN : value
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, known, leaveOut))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => {
      if (!isSecretName(key) || one === null) return [[key, withoutSecrets(one, known, leaveOut)]]
      return leaveOut ? [] : [[key, HIDDEN]]
    }),
  )
}
