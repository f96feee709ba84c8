// Makes random codes for mails, with their expiry time inside. Only their hash is stored, so that a reader of
// the database cannot use them.

import { createHash, randomBytes } from 'node:crypto'

export const CODE_LIFETIME_MS = 3_600_000

const RANDOM_BYTES = 32
const END_BYTES = 6
const FORM = new RegExp(`^[0-9a-f]{${2 * (RANDOM_BYTES + END_BYTES)}}$`)

interface SecretCode {
  readonly code: string
  /** The hash in the database. */
  readonly stored: string
}

/** `now`: epoch milliseconds. */
export function createSecretCode(now: number): SecretCode {
  const end = Buffer.alloc(END_BYTES)
  end.writeUIntBE(now + CODE_LIFETIME_MS, 0, END_BYTES)
  const code = Buffer.concat([randomBytes(RANDOM_BYTES), end]).toString('hex')
  return { code, stored: computeHash(code) }
}

/** Undefined if the code is expired or invalid. */
export function buildStoredForm(code: string, now: number): string | undefined {
  if (!FORM.test(code)) return undefined
  const end = Buffer.from(code.slice(2 * RANDOM_BYTES), 'hex').readUIntBE(0, END_BYTES)
  return now < end ? computeHash(code) : undefined
}

function computeHash(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}
