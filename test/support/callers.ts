// Asks a CMS as callers with names of their own.

import { SignJWT } from 'jose'
import type { Cms } from '../../src/index.ts'

export interface Answered {
  readonly status: number
  readonly json: unknown
}

/** `who`: a name among the callers; '' for a request without a token. */
export type Ask = (who: string, method: string, path: string, body?: unknown) => Promise<Answered>

/** Asks with the tokens by name. */
export function asking(cms: Cms, tokens: Readonly<Record<string, string>>): Ask {
  return async (who, method, path, body) => {
    const headers = {
      'content-type': 'application/json',
      ...(who !== '' && { authorization: `Bearer ${tokens[who]}` }),
    }
    const response = await cms.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: await response.json() }
  }
}

/** Logs users in by their passwords, and asks as them, or with the API tokens by name. */
export async function askingAs(
  cms: Cms,
  passwords: Readonly<Record<string, string>>,
  apiTokens: Readonly<Record<string, string>> = {},
): Promise<Ask> {
  const tokens: Record<string, string> = { ...apiTokens }
  const ask = asking(cms, {})
  for (const [identifier, password] of Object.entries(passwords)) {
    const { status, json } = await ask('', 'POST', '/api/auth/local', { identifier, password })
    if (status !== 200) throw new Error(`login refused: ${JSON.stringify(json)}`)
    tokens[identifier] = (json as { jwt: string }).jwt
  }
  return asking(cms, tokens)
}

/**
 * A user's token as another program signs it with the same secret: without the time that a login takes. `issued`: now on the
 * server's clock, which may stand still.
 */
export function signedToken(secret: string, id: number, issued = new Date()): Promise<string> {
  return new SignJWT({ id })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(issued)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret))
}
