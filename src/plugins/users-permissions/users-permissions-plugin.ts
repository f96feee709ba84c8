// The users-permissions plugin: users, roles, logins.

import { createUserTokens } from '../../access/json-web-token.ts'
import { expandRolePermissions } from '../../access/permissions.ts'
import { createPermissions } from '../../access/principal.ts'
import { createRateLimit } from '../../access/rate-limit.ts'
import type { Expansion } from '../../config/shorthand/expansion.ts'
import { liftIntoPlugin } from '../../config/shorthand/lift.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import { isLoopback } from '../../lib/is-loopback.ts'
import { buildRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import { createNoMailer } from '../mailer.ts'
import type { Activation, Plugin, PluginContext, PluginSettings } from '../plugin.ts'
import {
  ATTEMPTS,
  CONSOLE_LOGINS,
  GRAPHQL_EXTENSION,
  MAILER,
  METRICS,
  ROLE_PERMISSIONS,
  SEED_SOURCE,
  type ServiceValue,
  TOKEN_SIGNER,
  USER_SETTINGS,
  USER_TOKEN,
} from '../services.ts'
import { createAccountMails } from './account-mails.ts'
import { createAccountRequests } from './account-requests.ts'
import { createAccounts } from './accounts.ts'
import { createAuthRoutes } from './auth-routes.ts'
import { checkModel } from './check-model.ts'
import { checkSettings } from './check-settings.ts'
import { createConsoleLogins } from './console-logins.ts'
import { accountActions, buildContribution, PERMISSION, ROLE, speaksOfUsers, USER } from './content-types.ts'
import { createCredentials } from './credentials.ts'
import { createGraphqlSchema } from './graphql-schema.ts'
import { createLogins } from './logins.ts'
import { describeOperations } from './operations.ts'
import { formatAdvanced, parseOptions, type UsersPermissionsOptions } from './options.ts'
import { createRoleRoutes } from './role-routes.ts'
import { createRoles } from './roles.ts'
import { seedUsers } from './seed-users.ts'
import { sessionCommands } from './session-commands.ts'
import { createSessionRoutes } from './session-routes.ts'
import { sessionTable } from './session-table.ts'
import { createSessions } from './sessions.ts'
import { createStoredSessions } from './stored-sessions.ts'
import { buildExtensionPoint } from './strapi-routes.ts'
import { syncPermissions } from './sync-permissions.ts'
import { syncRoles } from './sync-roles.ts'
import { userCommands } from './user-commands.ts'
import { createUserLifecycle } from './user-lifecycle.ts'
import { createUserRoutes } from './user-routes.ts'
import { createUserSessionRoutes } from './user-session-routes.ts'
import { createUserStrategy } from './user-strategy.ts'
import { createUserWrites } from './user-writes.ts'

export const usersPermissionsPlugin: Plugin = {
  name: 'users-permissions',
  onByDefault: true,
  shorthands: { typeNames: { user: USER, users: USER }, expand: [expandSecret] },
  checkSettings,
  checkModel,
  accountActions,
  commands: { ...sessionCommands, ...userCommands },
  graphqlNames: {
    fields: [
      ...['me', 'login', 'register', 'forgotPassword', 'resetPassword', 'changePassword'],
      'emailConfirmation',
    ],
    typePrefixes: ['UsersPermissions'],
  },
  enable(settings) {
    const options = parseOptions(settings)
    return {
      contribution: buildContribution(options, settings.whole),
      describeOperations: describeOperations(options.sessions !== undefined),
      notices: listNotices(settings),
      extension: options.extension === undefined ? undefined : buildExtensionPoint(options.extension),
      activate: (context) => activate(options, settings.whole, context),
    }
  },
}

/** Strapi's default lets everybody register, which people may not expect. */
function listNotices({ config, whole }: PluginSettings): readonly string[] {
  const isSaid = buildRecord(config['advanced'])['allow_register'] !== undefined
  if (isSaid || !speaksOfUsers(whole)) return []
  const path = `${whole.rest.prefix}/auth/local/register`
  const key = 'plugins.users-permissions.config.advanced.allow_register'
  return [`anybody may make an account with POST ${path}; "${key}: false" ends that, "true" ends this line`]
}

function activate(
  options: UsersPermissionsOptions,
  whole: PluginSettings['whole'],
  context: PluginContext,
): Activation {
  const { auth, rest, server } = whole
  const { content, log, model, now, prefix, hashPassword, testing } = context
  const getType = (uid: string): ContentType => {
    const type = model.contentTypes.get(uid)
    invariant(type !== undefined, `the plugin contributed ${uid}`)
    return type
  }
  const [userType, roleType, permissionType] = [getType(USER), getType(ROLE), getType(PERMISSION)]
  const accounts = createAccounts(content, userType, roleType)
  const tokens = createUserTokens({
    secrets: options.jwtSecrets,
    lifetime: options.sessions?.access ?? options.jwtLifetime,
    sessions: options.sessions !== undefined,
    now,
  })
  const { emailConfirmation } = options
  const lifetimes = options.sessions ?? options.consoleSessions
  const stored = lifetimes && createStoredSessions(content.database)
  const allSessions =
    lifetimes &&
    stored &&
    createSessions({
      ...{ accounts, tokens, emailConfirmation, now },
      store: stored,
      options: lifetimes,
      onReuse(id) {
        log.warn(`a refresh token of user ${id} was used a second time: its session is ended`)
      },
    })
  const sessions = options.sessions && allSessions
  const give = createCredentials(tokens, sessions)
  const roles = createRoles({
    content,
    userType,
    roleType,
    permissionType,
    declared: context.need(ROLE_PERMISSIONS),
    publicDrafts: rest.publicDrafts,
  })
  const home = server.publicUrl ?? `http://localhost:${server.port}`
  const mails = createAccountMails({
    mailer: context.get(MAILER) ?? createNoMailer(log),
    resetPage: options.resetPage ?? `${home}/reset-password`,
    confirmationUrl: `${home}${prefix}/auth/email-confirmation`,
    log,
  })
  const logins = createLogins({ accounts, tokens, mails, options, now, hashPassword })
  const writes = createUserWrites({ content, userType, accounts, options })
  const { enabled, interval, max } = options.rateLimit
  const rateLimit = createRateLimit({ interval, max, store: context.need(ATTEMPTS), now })
  const getCountsTries = (address: string): boolean =>
    enabled ?? (!testing && (server.environment === 'production' || !isLoopback(address)))
  const refusals = context
    .get(METRICS)
    ?.counter('cms_logins_refused_total', 'Refused logins, by the name of the error.', ['error'])
  const requests = createAccountRequests({
    logins,
    options,
    userType,
    refusesUnknown: rest.strict,
    rateLimitFor: (address) => (getCountsTries(address) ? rateLimit : undefined),
    onRefused: (name) => refusals?.of(name).add(),
    strict: model.apiVersion.documents,
  })
  const consoleLogins = (): readonly ServiceValue[] => {
    const { consoleSessions } = options
    if (consoleSessions === undefined || stored === undefined || allSessions === undefined) return []
    const nobody = context.need(ROLE_PERMISSIONS)('public')?.bind() ?? createPermissions(new Set(), false)
    const logins = createConsoleLogins({
      ...{ roles: auth.roles, accounts, requests, tokens, store: stored, sessions: allSessions },
      ...{ options: consoleSessions, emailConfirmation, nobody, now },
    })
    return [CONSOLE_LOGINS.provide(logins)]
  }
  return {
    tables: stored === undefined ? [] : [sessionTable],
    lifecycles: [createUserLifecycle({ userType, accounts, sessions: stored, now })],
    strategies: [
      createUserStrategy({ accounts, tokens, emailConfirmation, getPermissions: roles.listPermissions }),
    ],
    routes: [
      ...createAuthRoutes({ context, accounts, requests, give, options }),
      ...(sessions !== undefined || model.apiVersion.documents ? createSessionRoutes(sessions) : []),
      ...createUserRoutes({ context, userType, writes }),
      ...(sessions === undefined ? [] : createUserSessionRoutes({ context, userType, sessions })),
      ...createRoleRoutes(context, roles, rest.strict),
    ],
    provides: [
      ...consoleLogins(),
      USER_TOKEN.provide(logins.getToken),
      USER_SETTINGS.provide(formatAdvanced(options)),
      ...(sessions === undefined ? [TOKEN_SIGNER.provide(tokens)] : []),
      SEED_SOURCE.provide(seedUsers({ users: auth.users, content, roleType })),
      GRAPHQL_EXTENSION.provide((tools) =>
        createGraphqlSchema(
          {
            ...{ accounts, requests, give, content, userType, roleType, writes, roles },
            sessions: sessions !== undefined,
            documents: model.apiVersion.documents,
          },
          tools,
        ),
      ),
    ],
    async prepare() {
      await syncRoles(content, roleType, auth.roles)
      const declared = expandRolePermissions(auth, context.actions)
      await syncPermissions({ content, roleType, permissionType, declared })
    },
  }
}

function expandSecret(expansion: Expansion): void {
  liftIntoPlugin(expansion, 'jwtSecret', 'users-permissions', ['config', 'jwtSecret'])
}
