// The secret that signs logins if none is configured: made once per process, so that a reload logs nobody out. The
// workers of one server share the secret of the first process.

import { randomBytes } from 'node:crypto'

let secret = randomBytes(32).toString('hex')

export function processSecret(): string {
  return secret
}

export function adoptProcessSecret(shared: string): void {
  secret = shared
}
