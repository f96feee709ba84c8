// The routes of logins (BEHAVIOUR 11.2 to 11.6): bodies without `data` in, bare bodies out.

import type { Principal } from '../../auth/principal.ts'
import type { RateLimit } from '../../auth/rate-limit.ts'
import { ApiError, validationErrors } from '../../errors/api-error.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, PathParameters, Route } from '../../http/route.ts'
import type { PluginContext } from '../plugin.ts'
import { type Accounts, WITH_ROLE } from './accounts.ts'
import type { Logins } from './logins.ts'
import type { UsersPermissionsOptions } from './options.ts'
import { type Body, type FieldRule, own, readBody, readTexts } from './read-fields.ts'

export interface AuthRouteParts {
  readonly context: Pick<PluginContext, 'guard' | 'prefix' | 'parseQuery'>
  readonly accounts: Accounts
  readonly logins: Logins
  readonly options: UsersPermissionsOptions
  /** Undefined where it is switched off. */
  readonly rateLimit: RateLimit | undefined
}

type Answer = (
  request: HttpRequest,
  principal: Principal,
  parameters: PathParameters,
) => Reply | Promise<Reply>

const LOGIN = [{ name: 'identifier' }, { name: 'password' }] as const
const REGISTER = [
  { name: 'email', email: true },
  { name: 'username', minLength: 3 },
  { name: 'password' },
] as const
const EMAIL = [{ name: 'email', email: true }] as const
// Strapi checks them from the last to the first.
const NEW_PASSWORD = [{ name: 'passwordConfirmation' }, { name: 'password' }] as const
const RESET = [...NEW_PASSWORD, { name: 'code' }] as const
const CHANGE = [...NEW_PASSWORD, { name: 'currentPassword' }] as const
const CONFIRMATION = [{ name: 'confirmation' }] as const

export function authRoutes({
  context,
  accounts,
  logins,
  options,
  rateLimit,
}: AuthRouteParts): readonly Route[] {
  const { guard, prefix, parseQuery } = context

  const route = (method: Method, path: string, action: string, answer: Answer): Route => ({
    method,
    path: prefix + path,
    handler: guard.protect(`plugin::users-permissions.auth.${action}`, (request, parameters, principal) =>
      answer(request, principal, parameters),
    ),
  })

  /** Counted by what the request really is about; a name that is not used makes no new bucket. */
  async function count(request: HttpRequest, action: string, identifier = ''): Promise<void> {
    await rateLimit?.take(action, request.address, identifier)
  }

  async function textsOf<N extends string>(
    request: HttpRequest,
    action: string,
    rules: readonly (FieldRule & { readonly name: N })[],
    identifiedBy?: N,
  ): Promise<{ readonly body: Body; readonly texts: Readonly<Record<N, string>> }> {
    const body = await readBody(request)
    const named = identifiedBy === undefined ? undefined : own(body, identifiedBy)
    await count(request, action, typeof named === 'string' ? named : '')
    return { body, texts: readTexts(body, rules) }
  }

  async function userReply(
    { id, jwt }: { readonly id: number; readonly jwt: string | undefined },
    principal: Principal,
    populate?: typeof WITH_ROLE,
  ): Promise<Reply> {
    const user = await accounts.show(id, principal.permissions, populate)
    return reply(jwt === undefined ? { user } : { jwt, user })
  }

  function assertConfirmed(texts: {
    readonly password: string
    readonly passwordConfirmation: string
  }): void {
    if (texts.password !== texts.passwordConfirmation) {
      throw new ApiError('ValidationError', 'Passwords do not match')
    }
  }

  return [
    route('POST', '/auth/local', 'callback', async (request, principal) => {
      const { texts } = await textsOf(request, 'callback', LOGIN, 'identifier')
      return userReply(await logins.logIn(texts.identifier, texts.password), principal)
    }),
    route('POST', '/auth/local/register', 'register', async (request, principal) => {
      if (!options.allowRegister) {
        throw new ApiError('ApplicationError', 'Register action is currently disabled')
      }
      const { body, texts } = await textsOf(request, 'register', REGISTER)
      const extra = Object.fromEntries(
        options.registerFields.filter((name) => Object.hasOwn(body, name)).map((name) => [name, body[name]]),
      )
      return userReply(await logins.register(texts, extra), principal, WITH_ROLE)
    }),
    route('POST', '/auth/forgot-password', 'forgotPassword', async (request) => {
      const { body, texts } = await textsOf(request, 'forgotPassword', EMAIL, 'email')
      assertOnly(body, ['email'])
      await logins.forgotPassword(texts.email)
      return reply({ ok: true })
    }),
    route('POST', '/auth/reset-password', 'resetPassword', async (request, principal) => {
      const { texts } = await textsOf(request, 'resetPassword', RESET)
      assertConfirmed(texts)
      return userReply(await logins.resetPassword(texts.code, texts.password), principal)
    }),
    route('POST', '/auth/change-password', 'changePassword', async (request, principal) => {
      const { id } = principal
      if (id === undefined) {
        throw new ApiError('ApplicationError', 'You must be authenticated to reset your password')
      }
      const { texts } = await textsOf(request, 'changePassword', CHANGE)
      assertConfirmed(texts)
      return userReply(await logins.changePassword(id, texts.currentPassword, texts.password), principal)
    }),
    route('GET', '/auth/email-confirmation', 'emailConfirmation', async (request) => {
      await count(request, 'emailConfirmation')
      const { confirmation } = readTexts(parseQuery(request.query), CONFIRMATION)
      await logins.confirmEmail(confirmation)
      return redirect(options.confirmationRedirection ?? '/')
    }),
    route('POST', '/auth/send-email-confirmation', 'sendEmailConfirmation', async (request) => {
      const { texts } = await textsOf(request, 'sendEmailConfirmation', EMAIL, 'email')
      await logins.sendConfirmation(texts.email)
      return reply({ email: texts.email.toLowerCase(), sent: true })
    }),
    // No provider can be switched on: these answer to everybody as for one that is switched off.
    ...['/auth/:provider/callback', '/connect/:provider'].map(
      (path): Route => ({
        method: 'GET',
        path: prefix + path,
        handler: async (request) => {
          await count(request, path)
          throw new ApiError('ApplicationError', 'This provider is disabled')
        },
      }),
    ),
  ]
}

function assertOnly(body: Body, known: readonly string[]): void {
  const unknown = Object.keys(body).filter((key) => !known.includes(key))
  if (unknown.length === 0) return
  const message = `this field has unspecified keys: ${unknown.join(', ')}`
  throw validationErrors([{ path: [], message, name: 'ValidationError' }])
}

function reply(body: unknown): Reply {
  return jsonReply(200, JSON.stringify(body))
}

function redirect(location: string): Reply {
  return { status: 302, headers: { location }, body: '', contentType: undefined }
}
