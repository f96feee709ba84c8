// API tokens of the configuration -> a strategy. Only hashes are kept: a token is
// random, so one fast hash of it is as good as a slow one (decision 0020).

import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiTokenConfig } from '../config/config.ts'
import { ApiError } from '../errors/api-error.ts'
import type { AuthStrategy } from './guard.ts'
import { tokenPermissions } from './permissions.ts'
import { createPermissions, fullAccess, type Principal } from './principal.ts'

const HASH_PREFIX = 'sha512:'

/** Longer than any token; what is longer is not looked at. */
const LONGEST = 4096

/** `sha512:` and the hash of a token, as the configuration's `tokenHash` has it. */
export function hashApiToken(token: string): string {
  return HASH_PREFIX + digestOf(token).toString('hex')
}

export interface ApiTokenParts {
  readonly tokens: readonly ApiTokenConfig[]
  readonly actions: ReadonlySet<string>
  /** Whether drafts are for everybody who may find. */
  readonly publicDrafts: boolean
  /** Epoch milliseconds. */
  now(): number
  /** Told of every request that a token lets in; it must not take time. */
  used(name: string): void
}

/** A strategy that knows the tokens of one configuration. */
export function createApiTokenStrategy({
  tokens,
  actions,
  publicDrafts,
  now,
  used,
}: ApiTokenParts): AuthStrategy {
  const known = tokens.map((token) => {
    const { expiresAt } = token
    const principal: Principal = {
      kind: 'api-token',
      permissions:
        token.type === 'full-access'
          ? fullAccess
          : createPermissions(tokenPermissions(token, actions), publicDrafts),
      source: sourceOf(token),
    }
    return {
      name: token.name,
      digest: storedDigest(token),
      expires:
        expiresAt === undefined || expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
      principal,
    }
  })
  return {
    name: 'api-token',
    authenticate(token) {
      if (token.length > LONGEST) return undefined
      const digest = digestOf(token)
      // All are compared: how long it takes says nothing about which one it nearly was.
      let found: (typeof known)[number] | undefined
      for (const one of known) if (timingSafeEqual(one.digest, digest)) found = one
      if (found === undefined) return undefined
      // An expiry that cannot be read has passed.
      if (!(now() < found.expires)) throw new ApiError('UnauthorizedError', 'Token expired')
      used(found.name)
      return found.principal
    },
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha512').update(token).digest()
}

function storedDigest({ token, tokenHash }: ApiTokenConfig): Buffer {
  if (tokenHash !== undefined) return Buffer.from(tokenHash.slice(HASH_PREFIX.length), 'hex')
  return digestOf(token ?? '')
}

/** A token that is not custom has its permissions by its type. */
function sourceOf({ name, type }: ApiTokenConfig): string {
  const place = `auth.apiTokens["${name}"]`
  return type === 'custom' ? `${place}.permissions` : `${place}.type`
}
