// The routes of users: flat objects, lists without meta, all of them when no limit is asked for.

import type { Permissions, Principal } from '../../auth/principal.ts'
import type { Content, WriteOptions, Written } from '../../content/content.ts'
import { toObject } from '../../content/to-object.ts'
import { ApiError } from '../../errors/api-error.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, PathParameters, Route } from '../../http/route.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'
import type { PluginContext } from '../plugin.ts'
import { WITH_ROLE } from './accounts.ts'
import { readBody } from './read-fields.ts'
import type { UserWrites } from './user-writes.ts'

export interface UserRouteParts {
  readonly context: Pick<PluginContext, 'content' | 'guard' | 'prefix' | 'parseFlatParams' | 'parseParams'>
  readonly userType: ContentType
  readonly writes: UserWrites
}

type Answer = (
  request: HttpRequest,
  principal: Principal,
  parameters: PathParameters,
) => Reply | Promise<Reply>

/** A list without `limit` is the whole list, as recorded. */
const ALL = { defaultLimit: -1, maxLimit: null, withCount: false } as const

export function userRoutes({ context, userType, writes }: UserRouteParts): readonly Route[] {
  const { content, guard, prefix, parseFlatParams, parseParams } = context

  const route = (method: Method, path: string, action: string, answer: Answer): Route => ({
    method,
    path: `${prefix}/users${path}`,
    handler: guard.protect(`plugin::users-permissions.user.${action}`, (request, parameters, principal) =>
      answer(request, principal, parameters),
    ),
  })

  return [
    route('GET', '', 'find', async (request, { permissions }) => {
      const params = parseFlatParams(request.query)
      const listed = content.prepareFind(userType, params, permissions, ALL)
      const { entries } = await listed.read()
      return reply(
        200,
        entries.map((entry) => toObject(listed.plan, entry)),
      )
    }),
    route('GET', '/count', 'count', async (request, { permissions }) => {
      const params = { ...parseFlatParams(request.query), fields: ['id'] }
      return reply(200, await countOf(content, userType, params, permissions))
    }),
    route('GET', '/me', 'me', async (request, { id, permissions }) => {
      if (id === undefined) throw new ApiError('UnauthorizedError', 'Unauthorized')
      return one(id, parseParams(request.query), permissions)
    }),
    route('GET', '/:id', 'findOne', (request, { permissions }, [id]) =>
      one(idOf(id), parseParams(request.query), permissions),
    ),
    // `me` and `count` are read; written to, they are ids that no user has.
    ...['/me', '/count'].flatMap((path) => [
      route('PUT', path, 'update', () => {
        throw new ApiError('NotFoundError', 'User not found')
      }),
      route('DELETE', path, 'destroy', () => {
        throw new ApiError('NotFoundError', 'Not Found')
      }),
    ]),
    route('POST', '', 'create', async (request, { permissions }) =>
      shown(201, await writes.create(await readBody(request), withRole(permissions))),
    ),
    route('PUT', '/:id', 'update', async (request, { permissions }, [id]) =>
      shown(
        200,
        await writes.update(idOf(id, 'User not found'), await readBody(request), withRole(permissions)),
      ),
    ),
    route('DELETE', '/:id', 'destroy', async (_, { permissions }, [id]) => {
      const { plan, entry } = await content.delete(userType, idOf(id), { params: {}, access: permissions })
      return reply(200, toObject(plan, entry))
    }),
  ]

  async function one(id: number, params: Params, permissions: Permissions): Promise<Reply> {
    const prepared = content.prepareFindOne(userType, params, permissions, false)
    const entry = await prepared.read(id)
    if (entry === undefined) throw new ApiError('NotFoundError', 'Not Found')
    return reply(200, toObject(prepared.plan, entry))
  }
}

async function countOf(
  content: Content,
  userType: ContentType,
  params: Params,
  permissions: Permissions,
): Promise<number> {
  const limits = { defaultLimit: 1, maxLimit: 1, withCount: true }
  const { pagination: _, ...all } = params
  const { total } = await content.prepareFind(userType, all, permissions, limits).read()
  return total ?? 0
}

function idOf(text: string | undefined, message = 'Not Found'): number {
  const id = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(id)) throw new ApiError('NotFoundError', message)
  return id
}

function reply(status: number, body: unknown): Reply {
  return jsonReply(status, JSON.stringify(body))
}

function withRole(access: Permissions): WriteOptions {
  return { params: { populate: WITH_ROLE }, access }
}

function shown(status: number, { plan, entry }: Written): Reply {
  return reply(status, toObject(plan, entry))
}
