// Adds logins and the query `me` to GraphQL, with the checks and limits of REST.

import { everyPermission, type Principal } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { buildRecord } from '../../lib/is-record.ts'
import type { EntryObject } from '../../query/rows/to-object.ts'
import type { GraphqlContext, GraphqlExtension, GraphqlResolver } from '../graphql-extension.ts'
import { type AccountRequests, type Caller, getCaller } from './account-requests.ts'
import { type Accounts, WITH_ROLE } from './accounts.ts'
import type { GiveCredentials } from './credentials.ts'
import type { LoggedIn, RegisteredUser } from './logins.ts'
import { own } from './read-fields.ts'

const typeDefs = `
type UsersPermissionsMe { id: ID! username: String! email: String confirmed: Boolean blocked: Boolean role: UsersPermissionsMeRole }
type UsersPermissionsMeRole { id: ID! name: String! description: String type: String }
input UsersPermissionsRegisterInput { username: String! email: String! password: String! }
input UsersPermissionsLoginInput { identifier: String! password: String! provider: String! = "local" }
type UsersPermissionsPasswordPayload { ok: Boolean! }
type UsersPermissionsLoginPayload { jwt: String user: UsersPermissionsMe! }
type Query { me: UsersPermissionsMe }
type Mutation {
  login(input: UsersPermissionsLoginInput!): UsersPermissionsLoginPayload!
  """Register a user"""
  register(input: UsersPermissionsRegisterInput!): UsersPermissionsLoginPayload!
  """Request a reset password token"""
  forgotPassword(email: String!): UsersPermissionsPasswordPayload
  """
  Reset user password. Confirm with a code (resetToken from forgotPassword)
  """
  resetPassword(password: String!, passwordConfirmation: String!, code: String!): UsersPermissionsLoginPayload
  """Change user password. Confirm with the current password."""
  changePassword(currentPassword: String!, password: String!, passwordConfirmation: String!): UsersPermissionsLoginPayload
  """Confirm an email users email address"""
  emailConfirmation(confirmation: String!): UsersPermissionsLoginPayload
}
`

type Args = Readonly<Record<string, unknown>>

export interface GraphqlAccountOptions {
  readonly accounts: Accounts
  readonly requests: AccountRequests
  readonly give: GiveCredentials
  readonly sessions: boolean
  readonly documents: boolean
}

export function createGraphqlAccounts(options: GraphqlAccountOptions): GraphqlExtension {
  const { accounts, requests, give, sessions, documents } = options
  /** Requests that contained a try: one request must not be a way to try a hundred passwords at once. */
  const tried = new WeakSet<GraphqlContext['request']>()

  const once =
    (response: (args: Args, caller: Caller, context: GraphqlContext) => unknown): GraphqlResolver =>
    (_parent, args, context) => {
      const { principal, request } = context
      if (tried.has(request)) {
        throw new ApiError('ValidationError', 'One login or change of a password at a time')
      }
      tried.add(request)
      return response(args, getCaller(request, principal), context)
    }

  async function shown(id: number, { permissions }: Principal): Promise<EntryObject> {
    const user = await accounts.show(id, permissions, WITH_ROLE)
    if (user === undefined) throw new ApiError('NotFoundError', 'User not found')
    return user
  }

  async function payload({ id, epoch }: LoggedIn | RegisteredUser, { principal, request }: GraphqlContext) {
    const user = await shown(id, principal)
    if (epoch === undefined) return { jwt: null, user }
    return { ...(await give({ id, epoch }, request, {})), user }
  }

  return {
    typeDefs: [
      typeDefs,
      ...(documents ? ['type UsersPermissionsMe { documentId: ID! }'] : []),
      ...(sessions ? ['type UsersPermissionsLoginPayload { refreshToken: String }'] : []),
    ].join('\n'),
    resolvers: {
      Query: {
        me(_parent, _args, { principal }) {
          if (principal.id === undefined) throw new ApiError('ApplicationError', 'Authentication requested')
          // As in Strapi, users may always see their own role.
          return accounts.show(principal.id, everyPermission, WITH_ROLE)
        },
      },
      Mutation: {
        login: once(async ({ input }, caller, context) => {
          const fields = buildRecord(input)
          if (own(fields, 'provider') !== 'local') return requests.connect(caller, '/connect/:provider')
          return payload(await requests.logIn(caller, fields), context)
        }),
        register: once(async ({ input }, caller, context) =>
          payload(await requests.register(caller, buildRecord(input)), context),
        ),
        forgotPassword: once(async (args, caller) => {
          await requests.forgotPassword(caller, args)
          return { ok: true }
        }),
        resetPassword: once(async (args, caller, context) =>
          payload(await requests.resetPassword(caller, args), context),
        ),
        changePassword: once(async (args, caller, context) =>
          payload(await requests.changePassword(caller, args), context),
        ),
        emailConfirmation: once(async (args, caller, context) => {
          const { user, ...tokens } = await payload(await requests.confirmEmail(caller, args), context)
          // As in Strapi, the state before the confirmation.
          return { ...tokens, user: { ...user, confirmed: false } }
        }),
      },
    },
    auth: {
      'Query.me': { scope: ['plugin::users-permissions.user.me'] },
      // As in Strapi, open to every caller; shares its rate limit with REST.
      'Mutation.login': false,
      ...Object.fromEntries(
        ['register', 'forgotPassword', 'resetPassword', 'changePassword', 'emailConfirmation'].map((name) => [
          `Mutation.${name}`,
          { scope: [`plugin::users-permissions.auth.${name}`] },
        ]),
      ),
    },
  }
}
