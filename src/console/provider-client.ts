// A client of one OpenID provider: the authorization code flow with PKCE (OpenID Connect Core 1.0, section 3.1; RFC 7636).

import type { Configuration } from 'openid-client'
import { COOLDOWN_MS, PROVIDER_BOUNDS } from '../access/provider-keys.ts'
import type { IdentityProviderConfig, ProviderConsoleConfig } from '../config/auth-config.ts'
import { fetchBounded } from '../lib/fetch-bounded.ts'

/** Texts that one browser's login is bound to. */
interface LoginProof {
  readonly state: string
  readonly nonce: string
  /** 43 to 128 characters. */
  readonly codeVerifier: string
}

export interface ProviderClient {
  /** The provider's address for a login. Rejects if the provider does not answer. */
  buildAddress(proof: LoginProof, callback: URL): Promise<URL>
  /** Undefined if the provider has not verified an address of e-mail. Rejects with the errors of openid-client. */
  readEmail(proof: LoginProof, current: URL): Promise<string | undefined>
}

/** Milliseconds after which the provider's description is read again. */
const LIFETIME_MS = 600_000

export function createProviderClient(
  { issuer }: Pick<IdentityProviderConfig, 'issuer'>,
  client: ProviderConsoleConfig,
): ProviderClient {
  let known: { readonly at: number; readonly opening: Promise<Configuration> } | undefined

  /** A provider that fails is asked at most every half minute. */
  async function open(): Promise<Configuration> {
    const age = Date.now() - (known?.at ?? Number.NEGATIVE_INFINITY)
    if (known !== undefined && age < COOLDOWN_MS) return known.opening
    const isFresh = known !== undefined && age < LIFETIME_MS && (await succeeds(known.opening))
    if (!isFresh || known === undefined) known = { at: Date.now(), opening: discover(issuer, client) }
    return known.opening
  }

  return {
    async buildAddress({ state, nonce, codeVerifier }, callback) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
      return buildAuthorizationUrl(await open(), {
        ...{ redirect_uri: callback.href, scope: 'openid email', state, nonce },
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
    },
    async readEmail({ state, nonce, codeVerifier }, current) {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
      const configuration = await open()
      const tokens = await authorizationCodeGrant(configuration, current, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) return undefined
      const told =
        claims['email'] === undefined
          ? await fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      // Some providers write the truth value as a text.
      const isVerified = String(told['email_verified']) === 'true'
      return isVerified && typeof told['email'] === 'string' ? told['email'] : undefined
    },
  }
}

function succeeds(opening: Promise<unknown>): Promise<boolean> {
  return opening.then(
    () => true,
    () => false,
  )
}

async function discover(
  issuer: string,
  { clientId, clientSecret }: ProviderConsoleConfig,
): Promise<Configuration> {
  const openid = await import('openid-client')
  // The file allows plain HTTP on this machine only.
  const isLocal = issuer.startsWith('http:')
  const fetch = (url: string, options: object): Promise<Response> =>
    fetchBounded(url, options as RequestInit, PROVIDER_BOUNDS)
  const found = await openid.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    [openid.customFetch]: fetch,
    ...(isLocal && { execute: [openid.allowInsecureRequests] }),
  })
  const description = found.serverMetadata()
  const takesPost = description.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
  const proveClient = takesPost ? openid.ClientSecretPost : openid.ClientSecretBasic
  const authentication = clientSecret === undefined ? openid.None() : proveClient(clientSecret)
  const configuration = new openid.Configuration(description, clientId, clientSecret, authentication)
  configuration[openid.customFetch] = fetch
  if (isLocal) openid.allowInsecureRequests(configuration)
  openid.enableNonRepudiationChecks(configuration)
  return configuration
}
