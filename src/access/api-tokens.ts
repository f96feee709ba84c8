// Authenticates API tokens of the configuration. Tokens are random, so a fast hash is as safe as a slow one.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { ApiTokenConfig } from '../config/auth-config.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { Model } from '../model/model.ts'
import { createBindable, withoutRule } from './bind-permissions.ts'
import type { AuthStrategy } from './guard.ts'
import { fullAccess } from './principal.ts'
import type { RoleTokens } from './role-tokens.ts'
import { buildTokenGrants } from './rules.ts'

const HASH_PREFIX = 'sha512:'

/** Longer texts are rejected unhashed. */
const MAX_TOKEN_LENGTH = 4096

/** Returns `sha512:` and the hash. */
export function hashApiToken(token: string): string {
  return HASH_PREFIX + computeDigest(token).toString('hex')
}

interface ApiTokenOptions {
  readonly tokens: readonly ApiTokenConfig[]
  readonly actions: ReadonlySet<string>
  readonly model: Model
  readonly publicDrafts: boolean
  /** Epoch milliseconds. */
  now(): number
  readonly standIns: Pick<RoleTokens, 'standsFor'> | undefined
  /** Must return at once. */
  used(name: string): void
}

export function createApiTokenStrategy({
  tokens,
  actions,
  model,
  publicDrafts,
  now,
  standIns,
  used,
}: ApiTokenOptions): AuthStrategy {
  const known = tokens.flatMap((token) => {
    const { expiresAt } = token
    const one = {
      name: token.name,
      expires:
        expiresAt === undefined || expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
      source: getSource(token),
      permissions:
        token.type === 'full-access'
          ? withoutRule(fullAccess)
          : createBindable(buildTokenGrants(token, actions, model), publicDrafts, undefined, now),
    }
    return storedDigests(token).map((digest) => ({ ...one, digest }))
  })
  return {
    authenticate(token) {
      if (token.length > MAX_TOKEN_LENGTH) return undefined
      const digest = computeDigest(token)
      // Compares all tokens, so that the time does not reveal similar ones.
      let found: (typeof known)[number] | undefined
      for (const one of known) if (timingSafeEqual(one.digest, digest)) found = one
      const name = found === undefined ? standIns?.standsFor(token) : undefined
      if (name !== undefined) found = known.find((one) => one.name === name)
      if (found === undefined) return undefined
      // An expiry that cannot be parsed (NaN) counts as passed.
      if (!(now() < found.expires)) throw new ApiError('UnauthorizedError', 'Token expired')
      used(found.name)
      const { permissions, source } = found
      return { kind: 'api-token', name: found.name, permissions: permissions.bind(), source }
    },
  }
}

function computeDigest(token: string): Buffer {
  return createHash('sha512').update(token).digest()
}

/** While a token is replaced, both its new and its old text are valid. */
function storedDigests({ token = [], tokenHash = [] }: ApiTokenConfig): readonly Buffer[] {
  const hashes = [tokenHash].flat().map((hash) => Buffer.from(hash.slice(HASH_PREFIX.length), 'hex'))
  return [...hashes, ...[token].flat().map(computeDigest)]
}

function getSource({ name, type }: ApiTokenConfig): string {
  const place = `auth.apiTokens["${name}"]`
  return type === 'custom' ? `${place}.permissions` : `${place}.type`
}
