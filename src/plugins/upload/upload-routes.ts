// Serves `/api/upload`: flat objects, and lists without `meta` that contain all files by default.

import type { Permissions, Principal } from '../../access/principal.ts'
import { jsonReply, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { Method, PathParameters } from '../../http/route.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { PluginContext } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import { withUpload } from './receive-upload.ts'
import type { Uploads } from './uploads.ts'

interface UploadRouteOptions {
  readonly context: Pick<PluginContext, 'content' | 'model' | 'parseFlatParams'>
  readonly fileType: ContentType
  readonly uploads: Uploads
}

type RouteHandler = (request: HttpRequest, principal: Principal, parameters: PathParameters) => Promise<Reply>

export function uploadRoutes({ context, fileType, uploads }: UploadRouteOptions): readonly PluginOperation[] {
  const { content, parseFlatParams } = context

  const { documents } = context.model.apiVersion
  const reply = (body: unknown, status = 200): Reply =>
    jsonReply(status, JSON.stringify(documents ? withSigning(body) : body))

  const route = (method: Method, path: string, action: string, handler: RouteHandler): PluginOperation => ({
    method,
    path: `/upload${path}`,
    action: `content-api.${action}`,
    handle: (request, parameters, principal) => handler(request, principal, parameters),
  })

  async function findOne(request: HttpRequest, permissions: Permissions, id: number): Promise<Reply> {
    // As in Strapi, `fields` is ignored.
    const { fields: _, ...params } = parseFlatParams(request.query, fileType)
    const file = await content.findOne(fileType, id, params, permissions)
    if (file === undefined) throw notFound()
    return reply(file)
  }

  return [
    route('POST', '', 'upload', async (request, principal) => {
      const id = replacedBy(request.query)
      // Checked before the files in the body are received.
      if (id !== undefined && (await uploads.find(id)) === undefined)
        throw new ApiError('NotFoundError', 'Entity not found')
      return withUpload(request, { fileType, intake: uploads.intake }, async (upload) => {
        if (id === undefined) return reply(await uploads.create(upload, principal), documents ? 201 : 200)
        if (upload.files.length > 0) return reply(await uploads.replace(id, upload, principal))
        return reply(await uploads.update(id, upload.infos[0] ?? {}, principal))
      })
    }),
    route('GET', '/files', 'find', async (request, { permissions }) => {
      return reply(await content.findAll(fileType, parseFlatParams(request.query, fileType), permissions))
    }),
    route('GET', '/files/:id', 'findOne', (request, { permissions }, [id]) =>
      findOne(request, permissions, getId(id)),
    ),
    route('DELETE', '/files/:id', 'destroy', async (_request, principal, [id]) => {
      const number = getId(id)
      if ((await uploads.find(number)) === undefined) throw notFound()
      return reply(await uploads.delete(number, principal))
    }),
  ]
}

/** `?id=3` names the file to replace. */
function replacedBy(query: string): number | undefined {
  const id = new URLSearchParams(query).get('id')
  if (id === null) return undefined
  if (!/^\d{1,15}$/.test(id)) throw new ApiError('NotFoundError', 'Entity not found')
  return Number(id)
}

function getId(text: string | undefined): number {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw notFound()
  return Number(text)
}

function notFound(): ApiError {
  return new ApiError('NotFoundError', 'file.notFound')
}

/** Strapi 5 tells of each file whether its URL is signed. */
function withSigning(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withSigning)
  return isRecord(body) ? { ...body, isUrlSigned: false } : body
}
