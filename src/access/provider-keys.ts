// Caches the public keys of an OpenID provider for ten minutes. Tokens cause at most one request per half
// minute, even when the provider fails.

import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { type FetchBounds, fetchBounded } from '../lib/fetch-bounded.ts'
import { isRecord } from '../lib/is-record.ts'

export interface ProviderKeys {
  /** Rejects with KeysUnavailable. */
  readonly find: JWTVerifyGetKey
}

export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

export const PROVIDER_BOUNDS: FetchBounds = { maxBytes: 256 * 1024, timeoutMs: 5000 }
/** Milliseconds between two requests for keys. */
export const COOLDOWN_MS = 30_000
/** Milliseconds after which keys are fetched again; the old ones stay valid until that succeeds. */
const LIFETIME_MS = 600_000

const SECURE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/

export function createProviderKeys(
  { issuer, jwks }: { readonly issuer: string; readonly jwks: string | undefined },
  now: () => number,
): ProviderKeys {
  let address = jwks
  let keys: { readonly find: JWTVerifyGetKey; readonly fetchedAt: number } | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let failure: KeysUnavailable | undefined
  let asking: Promise<void> | undefined

  async function fetchKeys(): Promise<void> {
    try {
      address ??= await readAddress(issuer)
      const { createLocalJWKSet } = await import('jose')
      const text = await fetchText(address)
      keys = { find: createLocalJWKSet(JSON.parse(text) as JSONWebKeySet), fetchedAt: now() }
      failure = undefined
    } catch (error) {
      failure = error instanceof KeysUnavailable ? error : new KeysUnavailable(`${address}: ${String(error)}`)
    }
  }

  function refresh(): Promise<void> {
    if (asking === undefined && now() - askedAt >= COOLDOWN_MS) {
      askedAt = now()
      asking = fetchKeys().finally(() => {
        asking = undefined
      })
    }
    return asking ?? Promise.resolve()
  }

  return {
    async find(header, token) {
      if (keys === undefined || now() - keys.fetchedAt >= LIFETIME_MS) await refresh()
      const known = keys
      try {
        if (known !== undefined) return await known.find(header, token)
      } catch (error) {
        if (!isUnknownKey(error)) throw error
        await refresh()
        if (keys !== known && keys !== undefined) return keys.find(header, token)
        if (failure === undefined) throw error
      }
      throw failure ?? new KeysUnavailable('it was not asked')
    },
  }
}

function isUnknownKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY'
}

/** OpenID Connect Discovery 1.0, section 4: the document must name the same issuer (4.3). */
async function readAddress(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const text = await fetchText(url)
  let description: unknown
  try {
    description = JSON.parse(text)
  } catch {
    throw new KeysUnavailable(`${url} is no JSON`)
  }
  if (!isRecord(description) || description['issuer'] !== issuer)
    throw new KeysUnavailable(`${url} describes another issuer`)
  const address = description['jwks_uri']
  if (typeof address !== 'string' || !SECURE.test(address))
    throw new KeysUnavailable(`${url} names no address of keys over HTTPS`)
  return address
}

/** Rejects with KeysUnavailable. */
async function fetchText(url: string): Promise<string> {
  try {
    const response = await fetchBounded(url, { headers: { accept: 'application/json' } }, PROVIDER_BOUNDS)
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    return await response.text()
  } catch (error) {
    throw new KeysUnavailable(`${url}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
