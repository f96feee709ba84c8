// Builds refresh tokens: 16 bytes shared by all tokens of a session, and 32 that change at each refresh. A
// token with only the shared bytes right was valid once.

import { createHash, randomBytes } from 'node:crypto'

const FAMILY_BYTES = 16
const SECRET_BYTES = 32
const FORM = /^[A-Za-z0-9_-]{64}$/

interface RefreshToken {
  readonly text: string
  /** Stored as digests. */
  readonly family: string
  readonly token: string
}

export function createRefreshToken(): RefreshToken {
  return following(randomBytes(FAMILY_BYTES))
}

export function rotateRefreshToken({ text }: RefreshToken): RefreshToken {
  return following(Buffer.from(text, 'base64url').subarray(0, FAMILY_BYTES))
}

export function readRefreshToken(text: string): RefreshToken | undefined {
  if (!FORM.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return { text, family: computeDigest(bytes.subarray(0, FAMILY_BYTES)), token: computeDigest(bytes) }
}

function following(family: Buffer): RefreshToken {
  const bytes = Buffer.concat([family, randomBytes(SECRET_BYTES)])
  return { text: bytes.toString('base64url'), family: computeDigest(family), token: computeDigest(bytes) }
}

function computeDigest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
