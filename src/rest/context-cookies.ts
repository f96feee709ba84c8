// `ctx.cookies` of Koa for users' code (RFC 6265).

import { parseCookie, stringifySetCookie } from 'cookie'
import type { HttpRequest } from '../http/request.ts'

interface CookieOptions {
  /** Milliseconds. */
  readonly maxAge?: number
  readonly expires?: Date
  /** Default `/`. */
  readonly path?: string
  readonly domain?: string
  readonly secure?: boolean
  /** Default true, as in Koa. */
  readonly httpOnly?: boolean
  readonly sameSite?: boolean | 'strict' | 'lax' | 'none'
}

export interface ContextCookies {
  get(name: string): string | undefined
  /** Without a value the cookie is deleted. Throws TypeError for text that a cookie cannot have. */
  set(name: string, value?: string | null, options?: CookieOptions): void
}

/** `set` adds a value of `set-cookie` to the list; a later one of the same name replaces it. */
export function createContextCookies(request: HttpRequest, values: string[]): ContextCookies {
  return {
    get: (name) => parseCookie(request.header('cookie') ?? '')[name],
    set(name, value, { maxAge, expires, path = '/', httpOnly = true, ...options } = {}) {
      const isGone = value === undefined || value === null
      const lasting = maxAge === undefined ? expires : new Date(Date.now() + maxAge)
      const until = isGone ? new Date(0) : lasting
      const kept = values.filter((one) => !one.startsWith(`${name}=`))
      const text = stringifySetCookie({
        ...options,
        ...{ name, value: value ?? '', path, httpOnly },
        ...(until !== undefined && { expires: until }),
      })
      values.splice(0, values.length, ...kept, text)
    },
  }
}
