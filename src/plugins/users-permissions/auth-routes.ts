// Serves the login routes, whose bodies have no `data` envelope.

import type { Principal } from '../../access/principal.ts'
import type { RateLimitHeaders } from '../../access/rate-limit.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, Route } from '../../http/route.ts'
import { ApiError, type ApiErrorName } from '../../lib/errors/api-error.ts'
import type { PluginContext } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import { type AccountRequests, type Caller, getCaller } from './account-requests.ts'
import { type Accounts, WITH_ROLE } from './accounts.ts'
import type { GiveCredentials } from './credentials.ts'
import type { LoggedIn, RegisteredUser } from './logins.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { type Body, readBody } from './read-fields.ts'

interface AuthRouteOptions {
  readonly context: Pick<PluginContext, 'prefix' | 'parseQuery'>
  readonly accounts: Accounts
  readonly requests: AccountRequests
  readonly give: GiveCredentials
  readonly options: Pick<UsersPermissionsOptions, 'confirmationRedirection'>
}

type RouteHandler = (request: HttpRequest, caller: Caller, principal: Principal) => Reply | Promise<Reply>

export function createAuthRoutes({
  context,
  accounts,
  requests,
  give,
  options,
}: AuthRouteOptions): readonly (PluginOperation | Route)[] {
  const { prefix, parseQuery } = context

  const route = (method: Method, path: string, action: string, handler: RouteHandler): PluginOperation => ({
    method,
    path,
    action: `auth.${action}`,
    handle: (request, _, principal) =>
      withLimit((counted) => handler(request, { ...getCaller(request, principal), counted }, principal)),
  })

  const loginRoute = (
    path: string,
    action: string,
    logIn: (caller: Caller, body: Body) => Promise<LoggedIn | RegisteredUser>,
    populate?: typeof WITH_ROLE,
  ): PluginOperation =>
    route('POST', path, action, async (request, caller, principal) => {
      const body = await readBody(request)
      const { id, epoch } = await logIn(caller, body)
      const user = await accounts.show(id, principal.permissions, populate)
      return reply(epoch === undefined ? { user } : { ...(await give({ id, epoch }, request, body)), user })
    })

  return [
    loginRoute('/auth/local', 'callback', requests.logIn),
    loginRoute('/auth/local/register', 'register', requests.register, WITH_ROLE),
    route('POST', '/auth/forgot-password', 'forgotPassword', async (request, caller) => {
      await requests.forgotPassword(caller, await readBody(request))
      return reply({ ok: true })
    }),
    loginRoute('/auth/reset-password', 'resetPassword', requests.resetPassword),
    loginRoute('/auth/change-password', 'changePassword', requests.changePassword),
    route('GET', '/auth/email-confirmation', 'emailConfirmation', async (request, caller) => {
      await requests.confirmEmail(caller, parseQuery(request.query))
      return redirect(options.confirmationRedirection ?? '/')
    }),
    route('POST', '/auth/send-email-confirmation', 'sendEmailConfirmation', async (request, caller) =>
      reply({ email: await requests.sendConfirmation(caller, await readBody(request)), sent: true }),
    ),
    // Other login providers cannot be enabled: these routes always respond as for a disabled one.
    ...['/auth/:provider/callback', '/connect/:provider'].map(
      (path): Route => ({
        method: 'GET',
        path: prefix + path,
        handler: ({ address }) => withLimit((counted) => requests.connect({ address, counted }, path)),
      }),
    ),
  ]
}

async function withLimit(
  handler: (counted: NonNullable<Caller['counted']>) => Reply | Promise<Reply>,
): Promise<Reply> {
  let limit: RateLimitHeaders | undefined
  try {
    const given = await handler((headers) => {
      limit = headers
    })
    return limit === undefined ? given : { ...given, headers: { ...given.headers, ...limit } }
  } catch (error) {
    if (limit === undefined || !(error instanceof ApiError)) throw error
    const { name, message, details, headers } = error
    throw new ApiError(name as ApiErrorName, message, details, { ...headers, ...limit })
  }
}

function reply(body: unknown): Reply {
  return jsonReply(200, JSON.stringify(body))
}

function redirect(location: string): Reply {
  return { status: 302, headers: { location }, body: '', contentType: undefined }
}
