// Authenticates JWTs of OpenID providers (RFC 7519, RFC 7523 3, OpenID Connect Discovery 1.0). Roles come
// from a claim; users are not stored.

import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { BindablePermissions } from './bind-permissions.ts'
import type { AuthStrategy } from './guard.ts'
import { getRoleSource } from './principal.ts'
import { COOLDOWN_MS, createProviderKeys, KeysUnavailable, type ProviderKeys } from './provider-keys.ts'

interface ExternalProvider {
  readonly name: string
  /** The exact value of the claim `iss`. */
  readonly issuer: string
  readonly audience: readonly string[]
  /** Such as `realm_access.roles`; undefined: roles are not read from the token. */
  readonly roles: string | undefined
  /** For callers whose claim names no role of the file. */
  readonly defaultRole: string
  /** Undefined: the URL of the provider's discovery document. */
  readonly jwks: string | undefined
}

interface ExternalIdentityOptions {
  readonly providers: readonly ExternalProvider[]
  readonly permissions: ReadonlyMap<string, BindablePermissions>
  /** Epoch milliseconds. */
  now(): number
}

/** Asymmetric signatures only: with a shared secret, every server that verifies could also sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** In characters; longer texts are rejected unread. */
const MAX_TOKEN_LENGTH = 16_384

/** Seconds by which clocks may differ. */
const TOLERATED_SECONDS = 60

export function createExternalIdentity({
  providers,
  permissions,
  now,
}: ExternalIdentityOptions): AuthStrategy {
  const known = new Map<string, { readonly provider: ExternalProvider; readonly keys: ProviderKeys }>(
    providers.map((provider) => [provider.issuer, { provider, keys: createProviderKeys(provider, now) }]),
  )

  return {
    async authenticate(token) {
      const issuer = getIssuer(token)
      const found = issuer === undefined ? undefined : known.get(issuer)
      if (found === undefined) return undefined
      const { provider, keys } = found
      const claims = await verified(token, provider, keys, now())
      const { sub } = claims
      // Different objects would become the same text, and so the same subject.
      if (typeof sub !== 'string') throw refused()
      const role = getRole(claims, provider, permissions.keys())
      const granted = permissions.get(role)
      if (granted === undefined) throw refused()
      const subject = `${provider.name} ${sub}`
      return { kind: 'user', name: role, permissions: granted.bind(), source: getRoleSource(role), subject }
    },
  }
}

/** Reads the claim `iss` of the unverified token, to find the provider's keys. */
function getIssuer(token: string): string | undefined {
  const [, payload, signature] = token.split('.', 4)
  if (token.length > MAX_TOKEN_LENGTH || payload === undefined || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    return isRecord(claims) && typeof claims['iss'] === 'string' ? claims['iss'] : undefined
  } catch {
    return undefined
  }
}

async function verified(
  token: string,
  { issuer, audience }: ExternalProvider,
  keys: ProviderKeys,
  moment: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, keys.find, {
      issuer,
      audience: [...audience],
      algorithms: ALGORITHMS,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: TOLERATED_SECONDS,
      currentDate: new Date(moment),
    })
    return payload
  } catch (error) {
    if (error instanceof KeysUnavailable)
      throw new ApiError(
        'ServiceUnavailableError',
        'The identity provider does not answer',
        {},
        { 'retry-after': String(COOLDOWN_MS / 1000) },
      )
    throw refused()
  }
}

function refused(): ApiError {
  return new ApiError('UnauthorizedError', 'Invalid credentials')
}

/** If the claim has several roles, the first in the file counts. */
function getRole(
  claims: Readonly<Record<string, unknown>>,
  { roles, defaultRole }: ExternalProvider,
  declared: Iterable<string>,
): string {
  if (roles === undefined) return defaultRole
  let value: unknown = claims
  for (const name of roles.split('.'))
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
  const named = new Set(typeof value === 'string' ? value.split(/[\s,]+/) : Array.isArray(value) ? value : [])
  for (const role of declared) if (role !== 'public' && named.has(role)) return role
  return defaultRole
}
