// The public keys of an OpenID provider: found by its description, fetched when a token is to be verified and kept for
// ten minutes. Whoever sends tokens cannot make this server ask more often than every half minute.

import type { JWTVerifyGetKey } from 'jose'
import { isRecord } from '../util/is-record.ts'

export interface ProviderKeys {
  /** For jose. Rejects with KeysUnavailable when the provider cannot be asked. */
  readonly find: JWTVerifyGetKey
}

/** The provider does not answer, or not with what it should. */
export class KeysUnavailable extends Error {
  override name = 'KeysUnavailable'
}

/** Milliseconds for one answer of the provider. */
const PATIENCE = 5000
/** Milliseconds after which a key that is not known may be asked for again, and after a failure. */
const COOLDOWN = 30_000
const ASK_AGAIN = 5000
/** Milliseconds for which keys are believed. */
const LIFETIME = 600_000
/** Bytes of one answer. */
const LARGEST = 256 * 1024

const SECURE = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$))/

export function createProviderKeys(
  { issuer, jwks }: { readonly issuer: string; readonly jwks: string | undefined },
  now: () => number,
): ProviderKeys {
  let opening: Promise<JWTVerifyGetKey> | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  async function open(): Promise<JWTVerifyGetKey> {
    const { createRemoteJWKSet, customFetch } = await import('jose')
    const address = jwks ?? (await addressOf(issuer))
    return createRemoteJWKSet(new URL(address), {
      timeoutDuration: PATIENCE,
      cooldownDuration: COOLDOWN,
      cacheMaxAge: LIFETIME,
      [customFetch]: async (url: string, { signal }: { readonly signal: AbortSignal }) =>
        new Response(await fetchText(url, signal)),
    })
  }

  return {
    async find(header, token) {
      if (opening === undefined) {
        if (now() - failedAt < ASK_AGAIN) throw new KeysUnavailable('it did not answer a moment ago')
        opening = open()
        opening.catch(() => {
          failedAt = now()
          opening = undefined
        })
      }
      const find = await opening
      try {
        return await find(header, token)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        // Errors about the token's own header are jose's; the others are of the way to the provider.
        const own = code === 'ERR_JWKS_NO_MATCHING_KEY' || code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS'
        throw own ? error : new KeysUnavailable(String(error))
      }
    },
  }
}

/** OpenID Connect Discovery 1.0, section 4: the description has to name the same issuer (4.3). */
async function addressOf(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const text = await fetchText(url, AbortSignal.timeout(PATIENCE))
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

/** Rejects with KeysUnavailable. Redirects are not followed. */
async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal,
      headers: { accept: 'application/json' },
    })
    if (response.status !== 200) throw new Error(`status ${response.status}`)
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of response.body ?? []) {
      size += piece.length
      if (size > LARGEST) throw new Error('it is too large')
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString('utf8')
  } catch (error) {
    throw new KeysUnavailable(`${url}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
