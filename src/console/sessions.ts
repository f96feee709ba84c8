// Finds who makes a request of the console's pages: a developer by the key, or a user by the cookie of a login.
//
// The cookie alone allows nothing: each request carries a text made from it in the header `x-console-key`, which pages of
// other origins can neither read nor send.

import { createHash } from 'node:crypto'
import type { Permissions } from '../access/principal.ts'
import type { Config } from '../config/config.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isSameSecret } from '../lib/is-same-secret.ts'
import type { ContentType } from '../model/content-type.ts'
import { STANDARD_PAGES } from '../model/roles.ts'
import type { ConsoleLogins, ConsoleSession } from '../plugins/console-logins.ts'
import { isKey } from './check-caller.ts'
import type { ConsoleContext } from './console-context.ts'
import { buildCookie, readCookie } from './cookies.ts'
import type { LoginState } from './described.ts'
import { listMay } from './list-may.ts'
import { readBody } from './read-body.ts'

type ConsoleCaller =
  | { readonly kind: 'developer' }
  | { readonly kind: 'editor'; readonly session: ConsoleSession }

type Context = Pick<ConsoleContext, 'door' | 'place'>

/** A value with the cookie that goes with it. */
interface Answer {
  readonly value: LoginState
  readonly cookie?: string
}

/** Throws UnauthorizedError for a request with neither the key nor a session. */
export async function readCaller(request: HttpRequest, { door, place }: Context): Promise<ConsoleCaller> {
  const given = request.header('x-console-key') ?? ''
  if (isKey(given, door)) return { kind: 'developer' }
  const secret = readCookie(request, place().config, 'session')
  const isOwn = secret !== undefined && isSameSecret(given, computeToken(secret))
  const session = isOwn ? await place().consoleLogins?.find(secret) : undefined
  if (session !== undefined) return { kind: 'editor', session }
  const fault =
    given === '' ? 'nobody is logged in' : 'the session is over, or the key is not that of this start'
  const remedy =
    door.key === undefined
      ? 'log in at the address of the console'
      : 'log in, or open the console by the address that the start has printed'
  throw new ApiError('UnauthorizedError', `${fault}: ${remedy}`)
}

/** The state that a page begins with; it needs no key, since pages of other origins cannot read it. */
export async function readLogin(request: HttpRequest, context: Context): Promise<LoginState> {
  const { door, place } = context
  const { consoleLogins } = place()
  const ways = listWays(context)
  if (isKey(request.header('x-console-key') ?? '', door)) return { ...ways, developer: true }
  const secret = readCookie(request, place().config, 'session')
  const session = secret === undefined ? undefined : await consoleLogins?.find(secret)
  if (secret === undefined || session === undefined) return ways
  return { ...ways, ...(await describeSession(request, session, secret, context)) }
}

/** Throws the errors of `ConsoleLogins.logIn`. A login ends the session that the browser had. */
export async function logIn(request: HttpRequest, context: Context): Promise<Answer> {
  const logins = getLogins(context)
  const { identifier, password } = await readBody(request)
  const { address } = request
  const secret = await logins.logIn({
    identifier,
    password,
    address,
    userAgent: request.header('user-agent'),
  })
  const cookie = await replaceSession(request, context, secret)
  const session = await logins.find(secret)
  if (session === undefined) throw new ApiError('UnauthorizedError', 'Invalid credentials')
  const value = { ...listWays(context), ...(await describeSession(request, session, secret, context)) }
  return { value, cookie }
}

/** Ends the session that the browser had, and returns the cookie of the new one. */
export async function replaceSession(
  request: HttpRequest,
  context: Pick<Context, 'place'>,
  secret: string,
): Promise<string> {
  const logins = getLogins(context)
  const earlier = readCookie(request, context.place().config, 'session')
  const before = earlier === undefined ? undefined : await logins.find(earlier)
  if (before !== undefined) await logins.end(before.user.id, before.id)
  return buildSessionCookie(request, context, secret, logins.longestMs)
}

function buildSessionCookie(
  request: HttpRequest,
  { place }: Pick<Context, 'place'>,
  value: string,
  lifetimeMs: number,
): string {
  return buildCookie(request, place().config, { use: 'session', value, lifetimeMs })
}

/** `everywhere`: ends all sessions of the user, those of the API as well. */
export async function logOut(
  request: HttpRequest,
  { user, id }: ConsoleSession,
  context: Context,
  everywhere: boolean,
): Promise<Answer> {
  const logins = getLogins(context)
  if (everywhere) await logins.endAll(user.id)
  else await logins.end(user.id, id)
  return { value: listWays(context), cookie: buildSessionCookie(request, context, '', 0) }
}

function listWays({ door, place }: Context): Pick<LoginState, 'byKey' | 'byPassword' | 'providers'> {
  const { config, consoleLogins } = place()
  const byPassword = consoleLogins !== undefined
  const providers = byPassword ? listProviders(config) : []
  return { byKey: door.key !== undefined, byPassword, providers }
}

/** The permissions with which the user of a session makes the request. */
export async function readPermissions(
  request: HttpRequest,
  session: ConsoleSession,
  { place }: Pick<Context, 'place'>,
): Promise<Permissions> {
  const { callers } = place()
  callers.carryToken(request, await session.issueToken())
  return (await callers.getCaller(request)).permissions
}

export function getLogins({ place }: Pick<Context, 'place'>): ConsoleLogins {
  const { consoleLogins } = place()
  if (consoleLogins !== undefined) return consoleLogins
  throw new ApiError('NotFoundError', 'no role of the file has "console: true": nobody logs in here')
}

/** Pages that the permissions would leave empty are not offered. */
async function describeSession(
  request: HttpRequest,
  session: ConsoleSession,
  secret: string,
  context: Pick<Context, 'place'>,
): Promise<Pick<LoginState, 'user' | 'token'>> {
  const live = context.place()
  const permissions = await readPermissions(request, session, context)
  const { id, username, email, role, console } = session.user
  const { fileType, userType } = live.model
  const subjects: Readonly<Record<string, ContentType | undefined>> = { media: fileType, users: userType }
  const isUseful = (page: string): boolean => {
    const subject = subjects[page]
    if (subject !== undefined) return listMay(subject, permissions, live).includes('find')
    return !Object.hasOwn(subjects, page)
  }
  const pages = (console.pages ?? STANDARD_PAGES).filter(isUseful)
  return { token: computeToken(secret), user: { id, username, email, role, pages } }
}

function computeToken(secret: string): string {
  return createHash('sha256').update(`the pages of ${secret}`).digest('base64url')
}

function listProviders({ auth }: Pick<Config, 'auth'>): LoginState['providers'] {
  return Object.entries(auth.providers).flatMap(([name, { console }]) =>
    console === undefined ? [] : [{ name, label: console.label }],
  )
}
