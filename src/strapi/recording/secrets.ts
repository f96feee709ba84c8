// Removes secrets: values under the names of secrets, and tokens that were seen.

import { isRecord } from '../../lib/is-record.ts'

const NAMES = /passw(?:or)?d|passcode|secret|token|jwt|api[-_]?key|authorization|credential|session|cookie/i

export function isSecretName(name: string): boolean {
  return NAMES.test(name)
}

export function hasSecret(query: string): boolean {
  return [...new URLSearchParams(query)].some(([name, value]) => isSecretName(name) && value !== '')
}

export const HIDDEN = 'hidden-by-cms-run'

/**
 * Copies the value and replaces values under secret names and texts with a known secret by `HIDDEN`;
 * `leaveOut` omits the former.
 */
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
