// Compares a secret with a given text in a time that does not depend on where they differ.

import { timingSafeEqual } from 'node:crypto'

export function isSameSecret(given: string, own: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(own)]
  return one.length === other.length && timingSafeEqual(one, other)
}
