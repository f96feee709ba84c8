// `ctx.cookies` of Koa for users' code (RFC 6265).

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
  readonly sameSite?: boolean | string
}

export interface ContextCookies {
  get(name: string): string | undefined
  /** Without a value the cookie is deleted. Throws TypeError for text that a cookie cannot have. */
  set(name: string, value?: string | null, options?: CookieOptions): void
}

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const ATTRIBUTE = /^[\x20-\x3a\x3c-\x7e]+$/

/** `set` adds a value of `set-cookie` to the list; a later one of the same name replaces it. */
export function createContextCookies(request: HttpRequest, values: string[]): ContextCookies {
  return {
    get(name) {
      for (const pair of (request.header('cookie') ?? '').split(';')) {
        const [key, value = ''] = pair.split(/=(.*)/s)
        if (key?.trim() === name) return decode(value.trim().replace(/^"(.*)"$/, '$1'))
      }
      return undefined
    },
    set(name, value, options = {}) {
      if (!NAME.test(name)) throw new TypeError(`not a name of a cookie: ${JSON.stringify(name)}`)
      const isGone = value === undefined || value === null
      const given: CookieOptions = isGone ? { ...options, expires: new Date(0), maxAge: 0 } : options
      const kept = values.filter((one) => !one.startsWith(`${name}=`))
      const text = [`${name}=${encodeURIComponent(value ?? '')}`, ...listAttributes(given)].join('; ')
      values.splice(0, values.length, ...kept, text)
    },
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function listAttributes({
  path = '/',
  domain,
  maxAge,
  expires,
  sameSite,
  secure = false,
  httpOnly = true,
}: CookieOptions): readonly string[] {
  const until = maxAge === undefined ? expires : new Date(Date.now() + maxAge)
  const site = sameSite === true ? 'strict' : sameSite
  const texts = { Path: path, Domain: domain, Expires: until?.toUTCString(), SameSite: site || undefined }
  return [
    ...Object.entries(texts).flatMap(([name, text]) => {
      if (text === undefined) return []
      if (!ATTRIBUTE.test(text))
        throw new TypeError(`not a value of ${name} of a cookie: ${JSON.stringify(text)}`)
      return [`${name}=${text}`]
    }),
    ...(secure ? ['Secure'] : []),
    ...(httpOnly ? ['HttpOnly'] : []),
  ]
}
