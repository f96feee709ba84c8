// The `authorization` of a recorded request -> the header that is sent: `@apitoken-NAME` is the token of that name
// in the configuration, `@jwt-NAME` a fresh token of the user of that name; everything else is sent as it stands.

import { randomBytes } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'

export interface Secrets {
  readonly jwtSecret: string
  /** By name. */
  readonly apiTokens: ReadonlyMap<string, string>
  /** Ids by username. */
  readonly users: ReadonlyMap<string, number>
}

const DAY = 86_400
/** No user has this id. */
const GHOST = 9_999_999

export async function authorizationOf(header: string, secrets: Secrets): Promise<string> {
  const apiToken = /^@apitoken-(.+)$/.exec(header)?.[1]
  if (apiToken !== undefined) return `Bearer ${known(secrets.apiTokens, apiToken, 'API token')}`
  const jwt = /^@jwt-(.+)$/.exec(header)?.[1]
  return jwt === undefined ? header : `Bearer ${await jwtOf(jwt, secrets)}`
}

function jwtOf(name: string, { jwtSecret, users }: Secrets): string | Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const alice = known(users, 'alice', 'user')
  switch (name) {
    case 'expired':
      return sign({ id: alice }, now - 2 * DAY, now - DAY, jwtSecret)
    case 'badsig':
      return sign({ id: alice }, now, now + DAY, randomBytes(32).toString('hex'))
    case 'noid':
      return sign({}, now, now + DAY, jwtSecret)
    case 'none-alg':
      return new UnsecuredJWT({ id: alice })
        .setIssuedAt(now)
        .setExpirationTime(now + DAY)
        .encode()
    case 'ghost':
      return sign({ id: GHOST }, now, now + DAY, jwtSecret)
    default:
      return sign({ id: known(users, name, 'user') }, now, now + DAY, jwtSecret)
  }
}

function sign(
  claims: Record<string, unknown>,
  issued: number,
  expires: number,
  secret: string,
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret))
}

function known<T>(map: ReadonlyMap<string, T>, name: string, what: string): T {
  const found = map.get(name)
  if (found === undefined) throw new Error(`the recorded configuration has no ${what} "${name}"`)
  return found
}
