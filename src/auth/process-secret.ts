// What signs logins where no secret is configured: made once for the process, so that a reload logs nobody out. The
// workers of one server take theirs from the first process, and share it.

import { randomBytes } from 'node:crypto'

let secret = randomBytes(32).toString('hex')

export function processSecret(): string {
  return secret
}

export function adoptProcessSecret(shared: string): void {
  secret = shared
}
