// The users-permissions plugin's part of the model: users, roles and its actions.

import { implicitRoles } from '../../access/permissions.ts'
import type { AuthConfig } from '../../config/auth-config.ts'
import type { Config } from '../../config/config.ts'
import type { ContributedEntry, ModelContribution } from '../../model/contribution.ts'
import type { UsersPermissionsOptions } from './options.ts'

const controllers = {
  auth: [
    'callback',
    'changePassword',
    'resetPassword',
    'refresh',
    'logout',
    'getSessions',
    'revokeSession',
    'connect',
    'forgotPassword',
    'register',
    'emailConfirmation',
    'sendEmailConfirmation',
  ],
  user: ['create', 'update', 'find', 'findOne', 'count', 'destroy', 'me'],
  role: ['createRole', 'findOne', 'find', 'updateRole', 'deleteRole'],
  permissions: ['getPermissions'],
} as const

/** Actions on sessions of other users, which Strapi lacks; they exist if the file enables sessions. */
const ofOthers = ['list', 'revoke', 'revokeAll'].map(
  (action) => `plugin::users-permissions.session.${action}`,
)

/** Strapi 4 has no sessions: its roles list these only if the file enables sessions. */
const sessionActions: ReadonlySet<string> = new Set(['refresh', 'logout', 'getSessions', 'revokeSession'])

export const USER = 'plugin::users-permissions.user'
export const ROLE = 'plugin::users-permissions.role'

export const PERMISSION = 'plugin::users-permissions.permission'

/** If e-mail addresses are unique, the database enforces it, too. */
export function buildContribution(
  { uniqueEmail, sessions }: Pick<UsersPermissionsOptions, 'uniqueEmail' | 'sessions'>,
  whole: Pick<Config, 'auth' | 'plugins' | 'dialect'>,
): ModelContribution {
  const { roles, users } = whole.auth
  const knowsSessions = sessions !== undefined || whole.dialect === 'strapi-5'
  return {
    entries: listEntries(users),
    ...(speaksOfUsers(whole) && {
      permissions: sessions === undefined ? defaultPermissions : permissionsWithSessions,
    }),
    // A role is named by its type.
    entriesElsewhere: { [ROLE]: [...implicitRoles, ...Object.keys(roles)], [PERMISSION]: [] },
    plugin: 'users-permissions',
    userType: USER,
    operationPermissions: {
      [USER]: {
        ...Object.fromEntries(
          ['find', 'findOne', 'create', 'update', 'count'].map((action) => [action, `${USER}.${action}`]),
        ),
        delete: `${USER}.destroy`,
        listRoles: `${ROLE}.find`,
      },
    },
    paths: ['auth', 'connect', 'users', 'users-permissions'],
    contentTypes: {
      [USER]: {
        kind: 'collectionType',
        collectionName: 'up_users',
        info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
        options: { draftAndPublish: false },
        pluginOptions: { graphql: { mutations: false } },
        attributes: {
          username: { type: 'string', required: true, unique: true, minLength: 3 },
          email: { type: 'email', required: true, minLength: 6, unique: uniqueEmail },
          provider: { type: 'string' },
          password: { type: 'password', private: true, minLength: 6 },
          resetPasswordToken: { type: 'string', private: true },
          confirmationToken: { type: 'string', private: true },
          confirmed: { type: 'boolean', default: false },
          blocked: { type: 'boolean', default: false },
          // Tokens issued before this moment (in milliseconds) are invalid; set when the password changes.
          tokenEpoch: { type: 'biginteger', private: true, writable: false, visible: false, default: '0' },
          role: {
            type: 'relation',
            relation: 'manyToOne',
            target: ROLE,
            inversedBy: 'users',
            // Callers who may find roles see a user's role, but not the other users of that role.
            private: false,
          },
        },
        rest: { config: {} },
      },
      [ROLE]: {
        kind: 'collectionType',
        collectionName: 'up_roles',
        info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
        options: { draftAndPublish: false },
        pluginOptions: { graphql: { mutations: false } },
        attributes: {
          name: { type: 'string', required: true, minLength: 3 },
          description: { type: 'string' },
          type: { type: 'string', unique: true },
          // Whether the file declares, or declared, the role (`sync-permissions.ts`).
          origin: { type: 'string', private: true, writable: false, visible: false },
          users: {
            type: 'relation',
            relation: 'oneToMany',
            target: USER,
            mappedBy: 'role',
            // As in Strapi, a role lists its users only through GraphQL.
            pluginOptions: { rest: { populate: false } },
          },
          permissions: { type: 'relation', relation: 'oneToMany', target: PERMISSION, mappedBy: 'role' },
        },
        rest: { config: {} },
      },
      // They apply to roles made over HTTP; for roles of the file they are a read-only copy.
      [PERMISSION]: {
        kind: 'collectionType',
        collectionName: 'up_permissions',
        info: { singularName: 'permission', pluralName: 'permissions', displayName: 'Permission' },
        options: { draftAndPublish: false },
        pluginOptions: { graphql: { queries: false, mutations: false } },
        attributes: {
          action: { type: 'string', required: true },
          role: { type: 'relation', relation: 'manyToOne', target: ROLE, inversedBy: 'permissions' },
        },
        rest: { config: {} },
      },
    },
    actions: [
      ...Object.entries(controllers).flatMap(([controller, actions]) =>
        actions
          .filter((action) => knowsSessions || !sessionActions.has(action))
          .map((action) => `plugin::users-permissions.${controller}.${action}`),
      ),
      ...(sessions === undefined ? [] : ofOthers),
    ],
  }
}

/** Actions of callers without a token. */
export const accountActions = [
  ['plugin::users-permissions.auth.callback', 'log in, POST /auth/local'],
  ['plugin::users-permissions.auth.register', 'register, POST /auth/local/register'],
  ['plugin::users-permissions.auth.forgotPassword', 'ask for a new password, POST /auth/forgot-password'],
  ['plugin::users-permissions.auth.resetPassword', 'set a new password, POST /auth/reset-password'],
] as const

/** The permissions of a new Strapi project. */
const defaultPermissions = {
  public: [
    'plugin::users-permissions.auth.callback',
    'plugin::users-permissions.auth.connect',
    'plugin::users-permissions.auth.forgotPassword',
    'plugin::users-permissions.auth.resetPassword',
    'plugin::users-permissions.auth.register',
    'plugin::users-permissions.auth.emailConfirmation',
    'plugin::users-permissions.auth.sendEmailConfirmation',
  ],
  authenticated: ['plugin::users-permissions.user.me', 'plugin::users-permissions.auth.changePassword'],
}

const permissionsWithSessions = {
  public: [...defaultPermissions.public, 'plugin::users-permissions.auth.refresh'],
  authenticated: [
    ...defaultPermissions.authenticated,
    'plugin::users-permissions.auth.refresh',
    'plugin::users-permissions.auth.logout',
    'plugin::users-permissions.auth.getSessions',
    'plugin::users-permissions.auth.revokeSession',
  ],
}

/** The plugin is on by default: a file that does not mention users must not let clients register. */
export function speaksOfUsers({ auth, plugins }: Pick<Config, 'auth' | 'plugins'>): boolean {
  const named = plugins['users-permissions'] !== undefined
  return named || auth.users.length > 0 || Object.keys(auth.roles).some((role) => role !== 'public')
}

export function listEntries(users: AuthConfig['users']): readonly ContributedEntry[] {
  return users.map((user, index) => ({
    uid: USER,
    data: { role: 'authenticated', confirmed: true, ...user },
    path: ['auth', 'users', index],
  }))
}
