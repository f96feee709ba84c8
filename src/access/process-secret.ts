// The secret that signs logins if none is configured: made once per process, so that a reload logs nobody out. The
// workers of one server share the secret of the first process.

import { createHmac, randomBytes } from 'node:crypto'

let secret = randomBytes(32).toString('hex')

export function processSecret(): string {
  return secret
}

export function adoptProcessSecret(shared: string): void {
  secret = shared
}

/** The same in all processes that share the secret; it tells nothing of the secret, or of what is derived for others. */
export function derivedSecret(purpose: string): string {
  return createHmac('sha256', secret).update(`derived for ${purpose}`).digest('base64url')
}
