// What the users-permissions plugin adds to the model: users, roles and its actions.

import { implicitRoles } from '../../auth/permissions.ts'
import type { AuthConfig } from '../../config/config.ts'
import type { ModelContribution } from '../../model/contribution.ts'
import type { UsersPermissionsOptions } from './options.ts'

const controllers = {
  auth: [
    'callback',
    'changePassword',
    'resetPassword',
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

export const USER = 'plugin::users-permissions.user'
export const ROLE = 'plugin::users-permissions.role'

export const PERMISSION = 'plugin::users-permissions.permission'

/** The plugin's content-types; users whose addresses are unique are kept so by the database, too. */
export function contributionOf(
  { uniqueEmail }: Pick<UsersPermissionsOptions, 'uniqueEmail'>,
  { roles }: Pick<AuthConfig, 'roles'>,
): ModelContribution {
  return {
    // Those of the `auth` section; a role is named by its type.
    entriesElsewhere: { [USER]: [], [ROLE]: [...implicitRoles, ...Object.keys(roles)], [PERMISSION]: [] },
    plugin: 'users-permissions',
    userType: USER,
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
          // The moment from which tokens are believed, in milliseconds: set when the password changes.
          tokenEpoch: { type: 'biginteger', private: true, writable: false, visible: false, default: '0' },
          role: {
            type: 'relation',
            relation: 'manyToOne',
            target: ROLE,
            inversedBy: 'users',
            // A user's role is seen by whoever may find roles; who else has it is not.
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
          // Whether the file has, or had, the role (sync-permissions.ts).
          origin: { type: 'string', private: true, writable: false, visible: false },
          users: {
            type: 'relation',
            relation: 'oneToMany',
            target: USER,
            mappedBy: 'role',
            // Through GraphQL alone, as in Strapi: over REST a role does not list who has it.
            pluginOptions: { rest: { populate: false } },
          },
          permissions: { type: 'relation', relation: 'oneToMany', target: PERMISSION, mappedBy: 'role' },
        },
        rest: { config: {} },
      },
      // What roles allow: those made over HTTP are held to it; of those of the file it is a copy, to be read.
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
    actions: Object.entries(controllers).flatMap(([controller, actions]) =>
      actions.map((action) => `plugin::users-permissions.${controller}.${action}`),
    ),
  }
}

/** What users do before they have a token. */
export const accountActions = [
  ['plugin::users-permissions.auth.callback', 'log in, POST /auth/local'],
  ['plugin::users-permissions.auth.register', 'register, POST /auth/local/register'],
  ['plugin::users-permissions.auth.forgotPassword', 'ask for a new password, POST /auth/forgot-password'],
  ['plugin::users-permissions.auth.resetPassword', 'set a new password, POST /auth/reset-password'],
] as const
