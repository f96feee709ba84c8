// Leads people to an OpenID provider and back, and starts the session of the user with their verified address of e-mail.
//
// The state, the nonce and the verifier of a login are made from a secret in a cookie, so that nothing is stored and each
// process can end what another began. Each provider has an address of its own to lead back to (RFC 9700, section 4.4).

import { createHash, randomBytes } from 'node:crypto'
import type { IdentityProviderConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { ConsoleContext } from './console-context.ts'
import { buildCookie, readCookie } from './cookies.ts'
import type { LoginFault } from './described.ts'
import { CONSOLE_HEADERS } from './page.ts'
import { createProviderClient, type ProviderClient } from './provider-client.ts'
import { getLogins, replaceSession } from './sessions.ts'

interface ProviderLogins {
  /** Undefined for a path that is not of these logins. */
  respond(request: HttpRequest): Promise<Reply> | undefined
}

interface Step {
  readonly request: HttpRequest
  readonly name: string
  readonly client: ProviderClient
}

const PATH = /^\/_console\/login\/([A-Za-z][\w-]*)(\/callback)?$/
const SECRET = /^[A-Za-z0-9_-]{43}$/
const LIFETIME_MS = 600_000
const SITES_OF_OTHERS: ReadonlySet<string> = new Set(['cross-site', 'same-site'])

class UnverifiedAddress extends Error {}

export function createProviderLogins(context: Pick<ConsoleContext, 'place' | 'onFault'>): ProviderLogins {
  const { place, onFault } = context
  const clients = new WeakMap<IdentityProviderConfig, ProviderClient>()

  function getClient(name: string): ProviderClient {
    const { providers } = place().config.auth
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined
    if (provider?.console === undefined) throw new ApiError('NotFoundError', 'Not Found')
    const client = clients.get(provider) ?? createProviderClient(provider, provider.console)
    clients.set(provider, client)
    return client
  }

  async function start({ request, name, client }: Step): Promise<Reply> {
    const secret = randomBytes(32).toString('base64url')
    const { config } = place()
    const address = await client.buildAddress(prove(secret, name), getCallback(request, config, name))
    const cookie = buildCookie(request, config, { use: 'provider', value: secret, lifetimeMs: LIFETIME_MS })
    return leadTo(address.href, [cookie])
  }

  async function finish({ request, name, client }: Step): Promise<Reply> {
    const { config } = place()
    const logins = getLogins(context)
    const secret = readCookie(request, config, 'provider') ?? ''
    const forget = buildCookie(request, config, { use: 'provider', value: '', lifetimeMs: 0 })
    const given = new URLSearchParams(request.query)
    const proof = prove(secret, name)
    if (!SECRET.test(secret) || given.get('state') !== proof.state) return refuse('expired', [forget])
    if (given.get('error') === 'access_denied') return refuse('cancelled', [forget])
    const current = getCallback(request, config, name)
    current.search = request.query
    const session = await logins.logInByEmail({
      address: request.address,
      userAgent: request.header('user-agent'),
      async readEmail() {
        const email = await client.readEmail(proof, current)
        if (email !== undefined) return email
        throw new UnverifiedAddress()
      },
    })
    if (session === undefined) return refuse('unknown', [forget])
    return leadTo('/', [forget, await replaceSession(request, context, session)])
  }

  /** People see the page of the login again, with the reason. */
  function explain(error: unknown, { request, name }: Step): Reply {
    if (error instanceof UnverifiedAddress) return refuse('unverified')
    if (error instanceof ApiError && error.name === 'RateLimitError') return refuse('often')
    const reason = error instanceof Error ? error.message : String(error)
    onFault(new Error(`the login by the provider "${name}" failed: ${reason}`, { cause: error }), request.id)
    return refuse('failed')
  }

  return {
    respond(request) {
      const [, name, isCallback] = PATH.exec(request.path) ?? []
      if (name === undefined || request.method !== 'GET') return undefined
      const step = { request, name, client: getClient(name) }
      // Pages of other sites must not end the session that the browser has.
      if (isCallback === undefined && SITES_OF_OTHERS.has(request.header('sec-fetch-site') ?? ''))
        throw new ApiError('ForbiddenError', 'logins begin at the page of the console')
      const reply = isCallback === undefined ? start(step) : finish(step)
      return reply.catch((error: unknown) => explain(error, step))
    },
  }
}

/** Of another use, or for another provider, a secret gives other texts. */
function prove(
  secret: string,
  name: string,
): { readonly state: string; readonly nonce: string; readonly codeVerifier: string } {
  const derive = (use: string): string =>
    createHash('sha256').update(`${use} of a login by ${name}: ${secret}`).digest('base64url')
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('verifier') }
}

/** It has to be registered at the provider. */
function getCallback(request: HttpRequest, { server }: Pick<Config, 'server'>, name: string): URL {
  const base = server.publicUrl ?? `http://${request.header('host') ?? 'localhost'}`
  return new URL(`${base.replace(/\/$/, '')}/_console/login/${name}/callback`)
}

function leadTo(location: string, cookies: readonly string[]): Reply {
  return {
    status: 302,
    headers: { ...CONSOLE_HEADERS, location, 'cache-control': 'no-store' },
    cookies: [...cookies],
  }
}

function refuse(fault: LoginFault, cookies: readonly string[] = []): Reply {
  return leadTo(`/#login-failed=${fault}`, cookies)
}
