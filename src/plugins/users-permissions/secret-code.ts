// Codes that are sent by mail (reset a password, confirm an address): random, with their end inside, and only their
// hash is stored. What is stored is no code: who reads the database cannot use it.

import { createHash, randomBytes } from 'node:crypto'

/** How long a code is good for, in milliseconds. */
export const CODE_LIFETIME = 3_600_000

const RANDOM_BYTES = 32
const END_BYTES = 6
const FORM = new RegExp(`^[0-9a-f]{${2 * (RANDOM_BYTES + END_BYTES)}}$`)

export interface SecretCode {
  /** What the mail holds. */
  readonly code: string
  /** What the database holds. */
  readonly stored: string
}

/** A new code; `now` in epoch milliseconds. */
export function createSecretCode(now: number): SecretCode {
  const end = Buffer.alloc(END_BYTES)
  end.writeUIntBE(now + CODE_LIFETIME, 0, END_BYTES)
  const code = Buffer.concat([randomBytes(RANDOM_BYTES), end]).toString('hex')
  return { code, stored: hashOf(code) }
}

/** What the database holds for a code; undefined for one that has ended or never was one. */
export function storedForm(code: string, now: number): string | undefined {
  if (!FORM.test(code)) return undefined
  const end = Buffer.from(code.slice(2 * RANDOM_BYTES), 'hex').readUIntBE(0, END_BYTES)
  return now < end ? hashOf(code) : undefined
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
