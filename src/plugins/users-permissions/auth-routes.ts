// The routes of logins: neither request nor response bodies have a `data` envelope.

import type { Principal } from '../../auth/principal.ts'
import type { RateLimitHeaders } from '../../auth/rate-limit.ts'
import { ApiError, type ApiErrorName } from '../../errors/api-error.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, Route } from '../../http/route.ts'
import type { PluginContext } from '../plugin.ts'
import { type AccountRequests, type Caller, callerOf } from './account-requests.ts'
import { type Accounts, WITH_ROLE } from './accounts.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { readBody } from './read-fields.ts'

export interface AuthRouteParts {
  readonly context: Pick<PluginContext, 'guard' | 'prefix' | 'parseQuery'>
  readonly accounts: Accounts
  readonly requests: AccountRequests
  readonly options: Pick<UsersPermissionsOptions, 'confirmationRedirection'>
}

type Answer = (request: HttpRequest, caller: Caller, principal: Principal) => Reply | Promise<Reply>

export function authRoutes({ context, accounts, requests, options }: AuthRouteParts): readonly Route[] {
  const { guard, prefix, parseQuery } = context

  const route = (method: Method, path: string, action: string, answer: Answer): Route => ({
    method,
    path: prefix + path,
    handler: guard.protect(`plugin::users-permissions.auth.${action}`, (request, _, principal) =>
      withLimit((counted) => answer(request, { ...callerOf(request, principal), counted }, principal)),
    ),
  })

  async function userReply(
    { id, jwt }: { readonly id: number; readonly jwt: string | undefined },
    principal: Principal,
    populate?: typeof WITH_ROLE,
  ): Promise<Reply> {
    const user = await accounts.show(id, principal.permissions, populate)
    return reply(jwt === undefined ? { user } : { jwt, user })
  }

  return [
    route('POST', '/auth/local', 'callback', async (request, caller, principal) =>
      userReply(await requests.logIn(caller, await readBody(request)), principal),
    ),
    route('POST', '/auth/local/register', 'register', async (request, caller, principal) =>
      userReply(await requests.register(caller, await readBody(request)), principal, WITH_ROLE),
    ),
    route('POST', '/auth/forgot-password', 'forgotPassword', async (request, caller) => {
      await requests.forgotPassword(caller, await readBody(request))
      return reply({ ok: true })
    }),
    route('POST', '/auth/reset-password', 'resetPassword', async (request, caller, principal) =>
      userReply(await requests.resetPassword(caller, await readBody(request)), principal),
    ),
    route('POST', '/auth/change-password', 'changePassword', async (request, caller, principal) =>
      userReply(await requests.changePassword(caller, await readBody(request)), principal),
    ),
    route('GET', '/auth/email-confirmation', 'emailConfirmation', async (request, caller) => {
      await requests.confirmEmail(caller, parseQuery(request.query))
      return redirect(options.confirmationRedirection ?? '/')
    }),
    route('POST', '/auth/send-email-confirmation', 'sendEmailConfirmation', async (request, caller) =>
      reply({ email: await requests.sendConfirmation(caller, await readBody(request)), sent: true }),
    ),
    // Other login providers cannot be enabled: these routes always answer as for a disabled one.
    ...['/auth/:provider/callback', '/connect/:provider'].map(
      (path): Route => ({
        method: 'GET',
        path: prefix + path,
        handler: ({ address }) => withLimit((counted) => requests.connect({ address, counted }, path)),
      }),
    ),
  ]
}

/** Adds the rate limit headers to the reply or to the error. */
async function withLimit(
  answer: (counted: NonNullable<Caller['counted']>) => Reply | Promise<Reply>,
): Promise<Reply> {
  let limit: RateLimitHeaders | undefined
  try {
    const given = await answer((headers) => {
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
