// Adds mutations for users and roles to GraphQL, with the operations of REST.

import type { Principal } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { buildRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import { parseId } from '../../plan/parse-id.ts'
import type { Content, WriteOptions, WriteResult } from '../../write/content.ts'
import type { GraphqlExtension, GraphqlResolver, GraphqlTools } from '../graphql-extension.ts'
import { type Body, own } from './read-fields.ts'
import type { RoleFields, Roles } from './roles.ts'
import type { UserWrites } from './user-writes.ts'

const roleDefs = `
type UsersPermissionsCreateRolePayload { ok: Boolean! }
type UsersPermissionsUpdateRolePayload { ok: Boolean! }
type UsersPermissionsDeleteRolePayload { ok: Boolean! }
type Mutation {
  """Create a new role"""
  createUsersPermissionsRole(data: UsersPermissionsRoleInput!): UsersPermissionsCreateRolePayload
  """Update an existing role"""
  updateUsersPermissionsRole(id: ID!, data: UsersPermissionsRoleInput!): UsersPermissionsUpdateRolePayload
  """Delete an existing role"""
  deleteUsersPermissionsRole(id: ID!): UsersPermissionsDeleteRolePayload
}
`

const userDefs = `
type Mutation {
  """Create a new user"""
  createUsersPermissionsUser(data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!
  """Update an existing user"""
  updateUsersPermissionsUser(id: ID!, data: UsersPermissionsUserInput!): UsersPermissionsUserEntityResponse!
  """Delete an existing user"""
  deleteUsersPermissionsUser(id: ID!): UsersPermissionsUserEntityResponse!
}
`

export interface GraphqlUserOptions {
  readonly content: Pick<Content, 'delete'>
  readonly userType: ContentType
  readonly roleType: ContentType
  readonly writes: UserWrites
  readonly roles: Roles
}

type Args = Readonly<Record<string, unknown>>

/** Keyed by field, with the required action. */
type Resolvers = Readonly<Record<string, readonly [action: string, resolver: GraphqlResolver]>>

export function createGraphqlUsers(options: GraphqlUserOptions, tools: GraphqlTools): GraphqlExtension {
  const { content, userType, roleType, writes, roles } = options

  const writing =
    (write: (args: Args, options: WriteOptions) => Promise<WriteResult>): GraphqlResolver =>
    async (_parent, args, context, info) => {
      const { params, access, resolve: response } = tools.entrySelection(userType, context, info)
      const { plan, entry } = await write(args, { params, access, by: context.principal })
      return response(plan, entry)
    }

  const done =
    (change: (args: Args, by: Principal) => Promise<void>): GraphqlResolver =>
    async (_parent, args, context) => {
      await change(args, context.principal)
      return { ok: true }
    }

  const forRoles: Resolvers = {
    createUsersPermissionsRole: ['role.createRole', done((args) => roles.create(getRole(args)))],
    updateUsersPermissionsRole: [
      'role.updateRole',
      done(async (args) => {
        const id = getId(args, 'Role not found')
        await roles.find(id)
        await roles.update(id, getRole(args))
      }),
    ],
    deleteUsersPermissionsRole: [
      'role.deleteRole',
      done((args, by) => roles.delete(getId(args, 'Role not found'), by)),
    ],
  }
  const create = writing((args, options) => writes.create(getData(args), options))
  const made: GraphqlResolver = async (parent, args, context, info) => {
    const user = await create(parent, args, context, info)
    // Only here, Strapi 5 passes on the status of the REST action.
    if (userType.document !== undefined) context.status = 201
    return user
  }
  const forUsers: Resolvers = {
    createUsersPermissionsUser: ['user.create', made],
    updateUsersPermissionsUser: [
      'user.update',
      writing((args, options) => writes.update(getId(args, 'User not found'), getData(args), options)),
    ],
    deleteUsersPermissionsUser: [
      'user.destroy',
      writing((args, options) => content.delete(userType, getId(args, 'User not found'), options)),
    ],
  }
  // The file may remove these types from the schema; then their mutations are left out.
  const [showsRoles, showsUsers] = [tools.isShown(roleType), tools.isShown(userType)]
  const all = Object.entries({ ...(showsRoles ? forRoles : {}), ...(showsUsers ? forUsers : {}) })
  return {
    typeDefs: `${showsRoles ? roleDefs : ''}${showsUsers ? userDefs : ''}`,
    resolvers: { Mutation: Object.fromEntries(all.map(([name, [, resolver]]) => [name, resolver])) },
    auth: Object.fromEntries(
      all.map(([name, [action]]) => [`Mutation.${name}`, { scope: [`plugin::users-permissions.${action}`] }]),
    ),
  }
}

function getData(args: Args): Body {
  const { data } = args
  return buildRecord(data)
}

/** Other fields can be set only over REST, or in the file. */
function getRole(args: Args): RoleFields {
  const data = getData(args)
  if (Object.keys(data).length === 0) throw new ApiError('ValidationError', 'Request body cannot be empty')
  for (const name of ['type', 'permissions', 'users']) {
    if ((own(data, name) ?? null) !== null) {
      throw new ApiError('ValidationError', `${name} of a role cannot be set through GraphQL`)
    }
  }
  const text = (name: 'name' | 'description'): RoleFields => {
    const value = own(data, name)
    return typeof value === 'string' ? { [name]: value } : {}
  }
  return { ...text('name'), ...text('description') }
}

function getId({ id }: Args, message: string): number {
  const number = parseId(String(id))
  if (number === undefined) throw new ApiError('NotFoundError', message)
  return number
}
