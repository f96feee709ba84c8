// Signs and verifies JWTs of users, HS256 only. It refuses tokens with other claims or without an expiry.

import { createHmac, webcrypto } from 'node:crypto'

export interface UserClaims {
  readonly id: number
  /** Undefined in tokens that another program signed with the same secret. */
  readonly epoch: number | undefined
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly session: string | undefined
}

interface TokenOptions {
  /** The first secret signs; all verify. */
  readonly secrets: readonly string[]
  /** Milliseconds. */
  readonly lifetime: number
  /** Whether the tokens are access tokens of sessions; tokens of the other kind are refused. */
  readonly sessions?: boolean
  /** Epoch milliseconds. */
  now(): number
}

interface IssuedClaims {
  readonly id: number
  readonly epoch: number
  readonly session?: string
}

export interface UserTokens {
  issue(claims: IssuedClaims): Promise<string>
  /** At once, without an epoch, for code that does not wait; throws for sessions. */
  sign(id: number): string
  /** Returns undefined for every invalid token. */
  verify(token: string): Promise<UserClaims | undefined>
}

const ALGORITHM = 'HS256'

const TOLERATED_SECONDS = 60

/** Own tokens have about 150 characters. */
const MAX_TOKEN_LENGTH = 4096

/** A token with another claim has another purpose. */
const CLAIMS: ReadonlySet<string> = new Set(['id', 'iat', 'exp', 'nbf', 'jti', 'epoch', 'type', 'sessionId'])

const ACCESS = 'access'

export function createUserTokens({ secrets, lifetime, sessions = false, now }: TokenOptions): UserTokens {
  const keys = secrets.map(hmacKey)
  const [newest] = keys
  const [secret] = secrets
  if (newest === undefined || secret === undefined) throw new TypeError('tokens need a secret')
  const signingKey = newest

  async function readPayload(
    token: string,
    key: () => Promise<webcrypto.CryptoKey>,
  ): Promise<Record<string, unknown> | undefined> {
    try {
      // Loaded for the first token, not at the start.
      const { jwtVerify } = await import('jose')
      const { payload } = await jwtVerify(token, await key(), {
        algorithms: [ALGORITHM],
        requiredClaims: ['id', 'iat', 'exp'],
        currentDate: new Date(now()),
      })
      return payload
    } catch {
      return undefined
    }
  }

  return {
    async issue({ id, epoch, session }) {
      const { SignJWT } = await import('jose')
      const issued = Math.floor(now() / 1000)
      return new SignJWT({ id, epoch, ...(sessions && { type: ACCESS, sessionId: session ?? '' }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
        .setIssuedAt(issued)
        .setExpirationTime(issued + Math.floor(lifetime / 1000))
        .sign(await signingKey())
    },
    sign(id) {
      if (sessions) throw new TypeError('a token of a session is issued with the session')
      const issued = Math.floor(now() / 1000)
      const payload = { id, iat: issued, exp: issued + Math.floor(lifetime / 1000) }
      const text = [{ alg: ALGORITHM, typ: 'JWT' }, payload]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    },
    async verify(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      for (const key of keys) {
        const payload = await readPayload(token, key)
        if (payload === undefined) continue
        const { type, sessionId } = payload
        const isAccess = type === ACCESS && typeof sessionId === 'string'
        if (sessions ? !isAccess : type !== undefined || sessionId !== undefined) return undefined
        return getClaims(payload, Math.floor(now() / 1000))
      }
      return undefined
    },
  }
}

/**
 * Returns a CryptoKey, because jose refuses bytes where a test environment such as jsdom has replaced the
 * global Uint8Array.
 */
function hmacKey(secret: string): () => Promise<webcrypto.CryptoKey> {
  let key: Promise<webcrypto.CryptoKey> | undefined
  return () => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    key ??= webcrypto.subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['sign', 'verify'])
    return key
  }
}

function getClaims(payload: Record<string, unknown>, seconds: number): UserClaims | undefined {
  const { id, iat, exp, epoch, sessionId } = payload
  if (Object.keys(payload).some((claim) => !CLAIMS.has(claim))) return undefined
  if (!isWhole(id) || id < 1 || !isWhole(iat) || !isWhole(exp)) return undefined
  if (epoch !== undefined && !isWhole(epoch)) return undefined
  if (iat > seconds + TOLERATED_SECONDS) return undefined
  return { id, epoch, issuedAt: iat, session: typeof sessionId === 'string' ? sessionId : undefined }
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
