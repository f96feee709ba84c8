// Adds `upload`, `multipleUpload`, `updateFileInfo` and `removeFile` to GraphQL; in Strapi 5 only
// `updateUploadFile` and `deleteUploadFile`.

import type { GraphQLResolveInfo } from 'graphql'
import { ApiError } from '../../lib/errors/api-error.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import type { ContentRules } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import { parseId } from '../../plan/parse-id.ts'
import type { Content } from '../../write/content.ts'
import type { ReceivedFile } from '../../write/file-intake.ts'
import { UploadedFile } from '../../write/uploaded-file.ts'
import type { GraphqlContext, GraphqlExtension, GraphqlResolver, GraphqlTools } from '../graphql-extension.ts'
import { readInfo } from './read-info.ts'
import type { Upload } from './receive-upload.ts'
import type { Uploads } from './uploads.ts'

const typeDefs = `
input FileInfoInput { name: String alternativeText: String caption: String }
type Mutation {
  upload(refId: ID, ref: String, field: String, info: FileInfoInput, file: Upload!): UploadFileEntityResponse!
  multipleUpload(refId: ID, ref: String, field: String, files: [Upload]!): [UploadFileEntityResponse]!
  updateFileInfo(id: ID!, info: FileInfoInput): UploadFileEntityResponse!
  removeFile(id: ID!): UploadFileEntityResponse
}
`

const documentTypeDefs = `
input FileInfoInput { name: String alternativeText: String caption: String }
type Mutation {
  updateUploadFile(id: ID!, info: FileInfoInput): UploadFile!
  deleteUploadFile(id: ID!): UploadFile
}
`

type Args = Readonly<Record<string, unknown>>

interface GraphqlUploadsOptions {
  readonly content: Content
  readonly apiVersion: ContentRules
  readonly fileType: ContentType
  readonly uploads: Uploads
  readonly tools: GraphqlTools
}

export function createGraphqlUploads({
  content,
  apiVersion,
  fileType,
  uploads,
  tools,
}: GraphqlUploadsOptions): GraphqlExtension {
  async function createResponses(
    ids: readonly number[],
    context: GraphqlContext,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]> {
    const { params, access, resolve: response } = tools.entrySelection(fileType, context, info)
    const prepared = content.prepareFindOne(fileType, params, access, false)
    const made: unknown[] = []
    for (const id of ids) {
      const { plan, entries } = await prepared.run({ id })
      const [entry] = entries
      invariant(entry !== undefined, 'a file just stored can be read')
      made.push(response(plan, entry))
    }
    return made
  }

  async function create(
    files: readonly unknown[],
    args: Args,
    { principal }: GraphqlContext,
  ): Promise<readonly number[]> {
    const given: Upload = {
      files: files.map(getFile),
      infos: args['info'] === undefined || args['info'] === null ? [] : [readInfo(args['info'], fileType)],
      target: {
        ref: formatText(args['ref']),
        refId: formatText(args['refId']),
        field: formatText(args['field']),
      },
    }
    return (await uploads.create(given, principal)).map(({ id }) => id)
  }

  const upload: GraphqlResolver = async (_parent, args, context, info) => {
    const [made] = await createResponses(await create([args['file']], args, context), context, info)
    return made
  }
  const multipleUpload: GraphqlResolver = async (_parent, args, context, info) =>
    createResponses(await create(getList(args['files']), args, context), context, info)
  const update: GraphqlResolver = async (_parent, args, context, info) => {
    const id = parseId(String(args['id']))
    if (id === undefined) throw new ApiError('NotFoundError', 'Entity not found')
    await uploads.update(id, readInfo(args['info'] ?? {}, fileType), context.principal)
    const [made] = await createResponses([id], context, info)
    return made
  }
  const remove: GraphqlResolver = async (_parent, args, context, info) => {
    const id = parseId(String(args['id']))
    if (id === undefined || (await uploads.find(id)) === undefined) return null
    const { params, access, resolve: response } = tools.entrySelection(fileType, context, info)
    const { plan, entry } = await content.delete(fileType, id, { params, access, by: context.principal })
    return response(plan, entry)
  }

  if (apiVersion.documents)
    return {
      typeDefs: documentTypeDefs,
      resolvers: { Mutation: { updateUploadFile: update, deleteUploadFile: remove } },
      auth: { 'Mutation.updateUploadFile': UPLOAD, 'Mutation.deleteUploadFile': DESTROY },
    }
  return {
    typeDefs,
    resolvers: { Mutation: { upload, multipleUpload, updateFileInfo: update, removeFile: remove } },
    auth: {
      'Mutation.upload': UPLOAD,
      'Mutation.multipleUpload': UPLOAD,
      'Mutation.updateFileInfo': UPLOAD,
      'Mutation.removeFile': DESTROY,
    },
  }
}

const UPLOAD = { scope: ['plugin::upload.content-api.upload'] }
const DESTROY = { scope: ['plugin::upload.content-api.destroy'] }

function getFile(value: unknown): ReceivedFile {
  if (!(value instanceof UploadedFile)) throw new ApiError('ValidationError', 'Files are empty')
  return value.take()
}

function getList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function formatText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
