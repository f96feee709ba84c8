// The routes of the plugin as Strapi declares them, for files that change them.

import type { ExtensionPoint, StrapiRoute } from '../plugin-extension.ts'

const TOP = [
  ['POST', '/auth/local', 'auth.callback'],
  ['POST', '/auth/local/register', 'auth.register'],
  ['POST', '/auth/forgot-password', 'auth.forgotPassword'],
  ['POST', '/auth/reset-password', 'auth.resetPassword'],
  ['POST', '/auth/change-password', 'auth.changePassword'],
  ['GET', '/auth/email-confirmation', 'auth.emailConfirmation'],
  ['POST', '/auth/send-email-confirmation', 'auth.sendEmailConfirmation'],
  ['GET', '/auth/:provider/callback', 'auth.callback'],
  ['GET', '/connect/:provider', 'auth.connect'],
  ['GET', '/users/count', 'user.count'],
  ['GET', '/users', 'user.find'],
  ['GET', '/users/me', 'user.me'],
  ['GET', '/users/:id', 'user.findOne'],
  ['POST', '/users', 'user.create'],
  ['PUT', '/users/:id', 'user.update'],
  ['DELETE', '/users/:id', 'user.destroy'],
] as const

const BELOW = [
  ['GET', '/roles/:id', 'role.findOne'],
  ['GET', '/roles', 'role.find'],
  ['POST', '/roles', 'role.createRole'],
  ['PUT', '/roles/:role', 'role.updateRole'],
  ['DELETE', '/roles/:role', 'role.deleteRole'],
  ['GET', '/permissions', 'permissions.getPermissions'],
] as const

const toRoute =
  (isTop: boolean) =>
  ([method, path, handler]: readonly [string, string, string]): StrapiRoute => ({
    method,
    path,
    handler,
    isTop,
  })

export function buildExtensionPoint(text: string): ExtensionPoint {
  return {
    text,
    path: ['plugins', 'users-permissions', 'config', 'extension'],
    routes: [...TOP.map(toRoute(true)), ...BELOW.map(toRoute(false))],
    graphqlFields: {
      'auth.callback': 'Mutation.login',
      'auth.register': 'Mutation.register',
      'auth.forgotPassword': 'Mutation.forgotPassword',
      'auth.resetPassword': 'Mutation.resetPassword',
      'auth.changePassword': 'Mutation.changePassword',
      'auth.emailConfirmation': 'Mutation.emailConfirmation',
      'user.me': 'Query.me',
      'user.create': 'Mutation.createUsersPermissionsUser',
      'user.update': 'Mutation.updateUsersPermissionsUser',
      'user.destroy': 'Mutation.deleteUsersPermissionsUser',
      'role.createRole': 'Mutation.createUsersPermissionsRole',
      'role.updateRole': 'Mutation.updateUsersPermissionsRole',
      'role.deleteRole': 'Mutation.deleteUsersPermissionsRole',
    },
  }
}
