// The cookies of the console (RFC 6265). Without `Domain`, so that no other host gets them.

import type { Config } from '../config/config.ts'
import type { HttpRequest } from '../http/request.ts'
import { createContextCookies } from '../rest/context-cookies.ts'

type CookieUse = 'session' | 'provider'

interface Cookie {
  readonly use: CookieUse
  readonly value: string
  readonly lifetimeMs: number
}

const NAMES: Readonly<Record<CookieUse, string>> = {
  session: 'cms-run-console',
  provider: 'cms-run-console-provider',
}

/** A provider leads back from its own site, with which browsers send no cookie that is `strict`. */
const SAME_SITE: Readonly<Record<CookieUse, string>> = { session: 'strict', provider: 'lax' }

type Server = Pick<Config, 'server'>

/** Browsers keep one cookie for all ports of a host, so each port has a name of its own. */
function nameCookie(request: HttpRequest, config: Server, use: CookieUse): string {
  const port = /:(\d+)$/.exec(request.header('host') ?? '')?.[1]
  return `${isSecure(config) ? '__Secure-' : ''}${NAMES[use]}${port === undefined ? '' : `-${port}`}`
}

function isSecure({ server }: Server): boolean {
  return server.publicUrl?.startsWith('https:') === true
}

export function readCookie(request: HttpRequest, config: Server, use: CookieUse): string | undefined {
  return createContextCookies(request, []).get(nameCookie(request, config, use))
}

export function buildCookie(
  request: HttpRequest,
  config: Server,
  { use, value, lifetimeMs }: Cookie,
): string {
  const cookies: string[] = []
  const options = { maxAge: lifetimeMs, sameSite: SAME_SITE[use], secure: isSecure(config) }
  createContextCookies(request, cookies).set(nameCookie(request, config, use), value, options)
  return cookies.join()
}
