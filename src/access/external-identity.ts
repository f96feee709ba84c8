// Callers whose tokens another server has signed: JWTs of an OpenID provider (RFC 7519, RFC 7523 3, OpenID Connect
// Discovery 1.0), verified with the keys that it publishes. Roles come from a claim; nothing is stored.

import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { BindablePermissions } from './bind-permissions.ts'
import type { AuthStrategy } from './guard.ts'
import { sourceOfRole } from './principal.ts'
import { COOLDOWN_MS, createProviderKeys, KeysUnavailable, type ProviderKeys } from './provider-keys.ts'

interface ExternalProvider {
  readonly name: string
  /** As it stands in the claim `iss`. */
  readonly issuer: string
  /** One of these has to be in the claim `aud`. */
  readonly audience: readonly string[]
  /** The path of the claim with the names of roles, split at dots: `realm_access.roles`; undefined: none is read. */
  readonly roles: string | undefined
  /** The role of those whose claim names none that the file declares. */
  readonly defaultRole: string
  /** Where the keys are; undefined: the provider's own description says it. */
  readonly jwks: string | undefined
}

interface ExternalIdentityOptions {
  readonly providers: readonly ExternalProvider[]
  /** Those of each role that the file declares, in its order. */
  readonly permissions: ReadonlyMap<string, BindablePermissions>
  /** Epoch milliseconds. */
  now(): number
}

/** Signatures with a key pair only: with a shared secret, whoever verifies could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Characters; longer texts are not looked at. */
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
      // An object is the same text for everybody.
      if (typeof sub !== 'string') throw refused()
      const role = getRole(claims, provider, permissions.keys())
      const granted = permissions.get(role)
      // A role that the file does not declare has no permissions: nobody would be let in.
      if (granted === undefined) throw refused()
      const subject = `${provider.name} ${sub}`
      return { kind: 'user', name: role, permissions: granted.bind(), source: sourceOfRole(role), subject }
    },
  }
}

/** The claim `iss` before anything is verified: which keys to ask. */
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

/** The first role of the file that the claim names. */
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
