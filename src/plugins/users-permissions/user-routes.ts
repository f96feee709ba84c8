// Serves the user routes: flat objects, and lists without `meta` that contain all users by default.

import type { Permissions, Principal } from '../../access/principal.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, PathParameters } from '../../http/route.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'
import { toObject } from '../../query/rows/to-object.ts'
import type { WriteOptions, WriteResult } from '../../write/content.ts'
import type { PluginContext } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import { WITH_ROLE } from './accounts.ts'
import { readBody } from './read-fields.ts'
import type { UserWrites } from './user-writes.ts'

interface UserRouteOptions {
  readonly context: Pick<PluginContext, 'content' | 'parseFlatParams' | 'parseParams'>
  readonly userType: ContentType
  readonly writes: UserWrites
}

type RouteHandler = (
  request: HttpRequest,
  principal: Principal,
  parameters: PathParameters,
) => Reply | Promise<Reply>

export function createUserRoutes({
  context,
  userType,
  writes,
}: UserRouteOptions): readonly PluginOperation[] {
  const { content, parseFlatParams, parseParams } = context

  const route = (method: Method, path: string, action: string, handler: RouteHandler): PluginOperation => ({
    method,
    path: `/users${path}`,
    action: `user.${action}`,
    handle: (request, parameters, principal) => handler(request, principal, parameters),
  })

  return [
    route('GET', '', 'find', async (request, { permissions }) => {
      return reply(
        200,
        await content.findAll(userType, parseFlatParams(request.query, userType), permissions),
      )
    }),
    route('GET', '/count', 'count', async (request, { permissions }) => {
      return reply(200, await content.count(userType, parseFlatParams(request.query, userType), permissions))
    }),
    route('GET', '/me', 'me', async (request, { id, permissions }) => {
      if (id === undefined) throw new ApiError('UnauthorizedError', 'Unauthorized')
      return one(id, parseParams(request.query, userType), permissions)
    }),
    route('GET', '/:id', 'findOne', (request, { permissions }, [id]) =>
      withId(id, (known) => one(known, parseParams(request.query, userType), permissions)),
    ),
    // `me` and `count` are read-only; a write takes them as the id of an unknown user.
    ...['/me', '/count'].flatMap((path) => [
      route('PUT', path, 'update', () => {
        throw new ApiError('NotFoundError', 'User not found')
      }),
      route('DELETE', path, 'destroy', () => missing()),
    ]),
    route('POST', '', 'create', async (request, principal) =>
      shown(201, await writes.create(await readBody(request), withRole(principal))),
    ),
    route('PUT', '/:id', 'update', async (request, principal, [id]) =>
      shown(
        200,
        await writes.update(getId(id, 'User not found'), await readBody(request), withRole(principal)),
      ),
    ),
    route('DELETE', '/:id', 'destroy', (_, by, [id]) =>
      withId(id, async (known) => {
        const options = { params: {}, access: by.permissions, by }
        const { plan, entry } = await content.delete(userType, known, options)
        return reply(200, toObject(plan, entry))
      }),
    ),
  ]

  /** For a user that is missing or that the caller's rules hide. */
  function missing(): Reply {
    if (userType.document !== undefined) return { status: 204 }
    throw new ApiError('NotFoundError', 'Not Found')
  }

  async function withId(text: string | undefined, handler: (id: number) => Promise<Reply>): Promise<Reply> {
    try {
      return await handler(getId(text))
    } catch (error) {
      if (error instanceof ApiError && error.name === 'NotFoundError') return missing()
      throw error
    }
  }

  async function one(id: number, params: Params, permissions: Permissions): Promise<Reply> {
    const user = await content.findOne(userType, id, params, permissions)
    if (user === undefined) throw new ApiError('NotFoundError', 'Not Found')
    return reply(200, user)
  }
}

/** Throws NotFoundError for an invalid id. */
export function getId(text: string | undefined, message = 'Not Found'): number {
  const id = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(id)) throw new ApiError('NotFoundError', message)
  return id
}

function reply(status: number, body: unknown): Reply {
  return jsonReply(status, JSON.stringify(body))
}

function withRole(by: Principal): WriteOptions {
  return { params: { populate: WITH_ROLE }, access: by.permissions, by }
}

function shown(status: number, { plan, entry }: WriteResult): Reply {
  return reply(status, toObject(plan, entry))
}
