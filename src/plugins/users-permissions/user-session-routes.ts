// Lists and ends sessions of other users for permitted callers. The routes exist only with sessions, and a
// role must name their permissions.

import type { Permissions, Principal } from '../../access/principal.ts'
import { jsonReply } from '../../http/reply.ts'
import type { Method } from '../../http/route.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { PluginContext } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import type { Sessions } from './sessions.ts'
import { getId } from './user-routes.ts'

interface UserSessionRouteOptions {
  readonly context: Pick<PluginContext, 'content'>
  readonly userType: ContentType
  readonly sessions: Sessions
}

export function createUserSessionRoutes({
  context,
  userType,
  sessions,
}: UserSessionRouteOptions): readonly PluginOperation[] {
  const { content } = context

  /** `data` makes the response for a user that the caller's rules show. */
  const route = (
    method: Method,
    path: string,
    action: string,
    data: (user: number, principal: Principal, session: string) => Promise<unknown>,
  ): PluginOperation => ({
    method,
    path: `/users/:id/sessions${path}`,
    action: `session.${action}`,
    async handle(_request, [id, session = ''], principal) {
      const user = getId(id, 'User not found')
      await assertThere(user, principal.permissions)
      return jsonReply(200, JSON.stringify({ data: await data(user, principal, session) }))
    },
  })

  async function assertThere(id: number, permissions: Permissions): Promise<void> {
    const found = await content.findOne(userType, id, { fields: ['id'] }, permissions)
    if (found === undefined) throw new ApiError('NotFoundError', 'User not found')
  }

  return [
    route('GET', '', 'list', (user, { session }) => sessions.list(user, session)),
    route('DELETE', '', 'revokeAll', async (user) => ({ ended: await sessions.endAll(user) })),
    route('DELETE', '/:sessionId', 'revoke', async (user, _principal, session) => {
      if (!(await sessions.end(user, session))) throw new ApiError('NotFoundError', 'Session not found')
      return {}
    }),
  ]
}
