// What the users-permissions plugin adds to the model: users, roles and its actions (spec 2.2; BEHAVIOUR 11.20).

import type { ModelContribution } from '../../model/contribution.ts'

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

export const usersPermissionsContribution: ModelContribution = {
  plugin: 'users-permissions',
  contentTypes: {
    'plugin::users-permissions.user': {
      kind: 'collectionType',
      collectionName: 'up_users',
      info: { singularName: 'user', pluralName: 'users', displayName: 'User' },
      options: { draftAndPublish: false },
      pluginOptions: {},
      attributes: {
        username: { type: 'string', required: true, unique: true, minLength: 3 },
        email: { type: 'email', required: true, minLength: 6 },
        provider: { type: 'string' },
        password: { type: 'password', private: true, minLength: 6 },
        resetPasswordToken: { type: 'string', private: true },
        confirmationToken: { type: 'string', private: true },
        confirmed: { type: 'boolean', default: false },
        blocked: { type: 'boolean', default: false },
        role: {
          type: 'relation',
          relation: 'manyToOne',
          target: 'plugin::users-permissions.role',
          inversedBy: 'users',
        },
      },
      rest: { config: {} },
    },
    'plugin::users-permissions.role': {
      kind: 'collectionType',
      collectionName: 'up_roles',
      info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
      options: { draftAndPublish: false },
      pluginOptions: {},
      attributes: {
        name: { type: 'string', required: true, minLength: 3 },
        description: { type: 'string' },
        type: { type: 'string', unique: true },
        users: {
          type: 'relation',
          relation: 'oneToMany',
          target: 'plugin::users-permissions.user',
          mappedBy: 'role',
        },
      },
      rest: { config: {} },
    },
  },
  actions: Object.entries(controllers).flatMap(([controller, actions]) =>
    actions.map((action) => `plugin::users-permissions.${controller}.${action}`),
  ),
}
