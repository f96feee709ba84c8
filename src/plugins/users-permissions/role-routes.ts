// The routes of roles and permissions.

import type { Principal } from '../../access/principal.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method } from '../../http/route.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { shorten } from '../../plan/write/unknown-attribute.ts'
import type { PluginContext } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import { buildPermissionTree, listEnabledActions } from './permission-tree.ts'
import { own, readBody } from './read-fields.ts'
import type { RoleFields, Roles } from './roles.ts'

export function createRoleRoutes(
  { actions, model }: Pick<PluginContext, 'actions' | 'model'>,
  roles: Roles,
  refusesUnknown: boolean,
): readonly PluginOperation[] {
  // Strapi 5 lacks this action, which files may still name: updates make new locales.
  const shown = model.apiVersion.documents
    ? new Set([...actions].filter((action) => !action.endsWith('.createLocalization')))
    : actions

  const route = (
    method: Method,
    path: string,
    action: string,
    response: (request: HttpRequest, id: string | undefined, by: Principal) => Promise<unknown>,
  ): PluginOperation => ({
    method,
    path: `/users-permissions/${path}`,
    action,
    handle: async (request, [id], by) => reply(await response(request, id, by)),
  })

  async function readFields(request: HttpRequest): Promise<RoleFields> {
    const body = await readBody(request)
    if (Object.keys(body).length === 0) {
      throw new ApiError('ValidationError', 'Request body cannot be empty')
    }
    if (refusesUnknown) for (const name of Object.keys(body)) assertKnown(name)
    const permissions = own(body, 'permissions')
    return {
      ...formatText(body, 'name'),
      ...formatText(body, 'description'),
      ...(permissions === undefined ? {} : { actions: listEnabledActions(permissions, actions) }),
    }
  }

  return [
    route('GET', 'roles', 'role.find', async () => ({ roles: await roles.list() })),
    route('GET', 'roles/:id', 'role.findOne', async (_, id) => {
      const role = await roles.find(getId(id))
      const { can } = (await roles.listPermissions(String(role['type']))).bind()
      return { role: { ...role, permissions: buildPermissionTree(shown, can) } }
    }),
    route('POST', 'roles', 'role.createRole', async (request) => {
      await roles.create(await readFields(request))
      return { ok: true }
    }),
    route('PUT', 'roles/:id', 'role.updateRole', async (request, id) => {
      const role = getId(id)
      await roles.find(role)
      await roles.update(role, await readFields(request))
      return { ok: true }
    }),
    route('DELETE', 'roles/:id', 'role.deleteRole', async (_, id, by) => {
      await roles.delete(getId(id), by)
      return { ok: true }
    }),
    route('GET', 'permissions', 'permissions.getPermissions', async () => ({
      permissions: buildPermissionTree(shown, () => false),
    })),
  ]
}

const TAKEN = ['name', 'description', 'permissions']
/** Names in responses that clients send back without effect. */
const IN_ANSWERS = [
  'id',
  'documentId',
  'type',
  'users',
  'nb_users',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
]

function assertKnown(name: string): void {
  if (TAKEN.includes(name) || IN_ANSWERS.includes(name)) return
  const near = didYouMean(name, TAKEN)
  const instead = near === undefined ? `: a role takes ${TAKEN.join(', ')}` : `, did you mean ${near}?`
  throw new ApiError('ValidationError', `Unknown attribute ${shorten(name)}${instead}`)
}

function formatText(body: Readonly<Record<string, unknown>>, name: 'name' | 'description'): RoleFields {
  const value = own(body, name)
  if (value === undefined || value === null) return {}
  if (typeof value === 'string') return { [name]: value }
  throw new ApiError('ValidationError', `${name} must be text`)
}

function getId(text: string | undefined): number {
  const id = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(id)) throw new ApiError('NotFoundError', 'Role not found')
  return id
}

function reply(body: unknown): Reply {
  return jsonReply(200, JSON.stringify(body))
}
