// Refresh tokens: 16 bytes that all tokens of a session share, and 32 that are new at each refresh. Who shows the first
// without the second shows a token that was valid once.

import { createHash, randomBytes } from 'node:crypto'

const FAMILY_BYTES = 16
const SECRET_BYTES = 32
const FORM = /^[A-Za-z0-9_-]{64}$/

interface RefreshToken {
  readonly text: string
  /** The digests that are stored. */
  readonly family: string
  readonly token: string
}

export function newRefreshToken(): RefreshToken {
  return following(randomBytes(FAMILY_BYTES))
}

/** The next token of the same session. */
export function nextRefreshToken({ text }: RefreshToken): RefreshToken {
  return following(Buffer.from(text, 'base64url').subarray(0, FAMILY_BYTES))
}

/** Undefined for a text that cannot be a refresh token. */
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
