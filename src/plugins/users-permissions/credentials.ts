// Issues the credentials of a login: one token or, with sessions, an access token and a refresh token.

import type { UserTokens } from '../../access/json-web-token.ts'
import type { HttpRequest } from '../../http/request.ts'
import { isPrintable } from '../../lib/is-email.ts'
import type { Account } from './accounts.ts'
import { type Body, own } from './read-fields.ts'
import type { Sessions } from './sessions.ts'

interface Credentials {
  readonly jwt: string
  readonly refreshToken?: string
}

/** `request` and `body` of the login are for the list of sessions. */
export type GiveCredentials = (
  account: Pick<Account, 'id' | 'epoch'>,
  request: Pick<HttpRequest, 'header'>,
  body: Body,
) => Promise<Credentials>

export function createCredentials(tokens: UserTokens, sessions: Sessions | undefined): GiveCredentials {
  return async ({ id, epoch }, request, body) => {
    if (sessions === undefined) return { jwt: await tokens.issue({ id, epoch }) }
    const device = { id: getDeviceId(body), name: getDeviceName(request.header('user-agent')) }
    return sessions.start({ id, epoch }, device)
  }
}

/** Longer ids are ignored. */
const MAX_DEVICE_LENGTH = 200

export function getDeviceId(body: Body): string | undefined {
  const value = own(body, 'deviceId')
  if (typeof value !== 'string' || value === '' || value.length > MAX_DEVICE_LENGTH) return undefined
  return isPrintable(value) ? value : undefined
}

/** The order matters: most browsers also claim to be those further down. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Browsers send shorter values. */
const MAX_USER_AGENT_LENGTH = 1000

/** Undefined if neither browser nor system is recognized. */
export function getDeviceName(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent.length > MAX_USER_AGENT_LENGTH) return undefined
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(userAgent)) ?? []
  if (browser === undefined || system === undefined) return browser ?? system
  return `${browser} on ${system}`
}
