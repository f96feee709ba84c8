// Holds a random secret for logins when none is configured. Workers share it, and logins survive a reload.

import { createHmac, randomBytes } from 'node:crypto'

let secret = randomBytes(32).toString('hex')

export function getProcessSecret(): string {
  return secret
}

export function adoptProcessSecret(shared: string): void {
  secret = shared
}

/** Reveals neither the secret nor the results for other purposes. */
export function deriveSecret(purpose: string): string {
  return createHmac('sha256', secret).update(`derived for ${purpose}`).digest('base64url')
}
