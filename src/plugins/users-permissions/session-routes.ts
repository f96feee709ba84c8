// Serves the session routes of Strapi 5. Without sessions they are a 404 to callers with their permissions.

import type { Principal } from '../../access/principal.ts'
import { jsonReply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, PathParameters } from '../../http/route.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import { getDeviceId } from './credentials.ts'
import { type Body, own, readBody } from './read-fields.ts'
import type { LogoutScope, Sessions } from './sessions.ts'

interface SessionRequest {
  readonly sessions: Sessions
  readonly request: HttpRequest
  readonly principal: Principal
  readonly parameters: PathParameters
}

/** Undefined if sessions are off. */
export function createSessionRoutes(sessions: Sessions | undefined): readonly PluginOperation[] {
  const route = (
    method: Method,
    path: string,
    action: string,
    response: (asked: SessionRequest) => Promise<unknown>,
  ): PluginOperation => ({
    method,
    path: `/auth/${path}`,
    action: `auth.${action}`,
    undocumented: sessions === undefined,
    async handle(request, parameters, principal) {
      if (sessions === undefined) throw new ApiError('NotFoundError', 'Not Found')
      return jsonReply(200, JSON.stringify(await response({ sessions, request, principal, parameters })))
    },
  })

  return [
    route('POST', 'refresh', 'refresh', async ({ sessions, request }) => {
      const token = own(await readBody(request), 'refreshToken')
      if (typeof token !== 'string' || token === '') {
        throw new ApiError('BadRequestError', 'Missing refresh token', {})
      }
      return sessions.refresh(token)
    }),
    route('POST', 'logout', 'logout', async ({ sessions, request, principal }) => {
      const id = getUser(principal)
      await sessions.logOut(id, await readScope(await readBody(request), sessions, id, principal))
      return { ok: true }
    }),
    route('GET', 'sessions', 'getSessions', async ({ sessions, principal }) => ({
      data: await sessions.list(getUser(principal), principal.session),
    })),
    route('DELETE', 'sessions/:sessionId', 'revokeSession', async ({ sessions, principal, parameters }) => {
      const [id = ''] = parameters
      if (!(await sessions.end(getUser(principal), id))) {
        throw new ApiError('NotFoundError', 'Session not found')
      }
      return { data: {} }
    }),
  ]
}

function getUser({ id }: Principal): number {
  if (id === undefined) throw new ApiError('UnauthorizedError', 'Missing authentication')
  return id
}

async function readScope(
  body: Body,
  sessions: Sessions,
  userId: number,
  { session }: Principal,
): Promise<LogoutScope> {
  if (own(body, 'scope') === 'all') return { kind: 'all' }
  const device = getDeviceId(body)
  if (device !== undefined) return { kind: 'device', device }
  const token = own(body, 'refreshToken')
  const named = typeof token === 'string' ? await sessions.getId(userId, token) : undefined
  return { kind: 'session', id: named ?? session }
}
