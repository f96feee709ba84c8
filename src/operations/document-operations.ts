// The operations of Strapi 5's documents. `params.publicationState` is the version to read, and the version
// that a write leaves.

import type { Permissions } from '../access/principal.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { Content, DocumentOptions, Documents, WriteResult } from '../write/content.ts'
import { assertSeesDrafts, type Implementations, implementFind } from './implementations.ts'
import type { Data, Input, RunContext, WriteOperation } from './operation.ts'

export function implementDocumentOperations(type: ContentType, content: Content): Implementations {
  const { documents } = content
  invariant(documents !== undefined, `${type.uid} has documents`)

  const writing = (
    run: (
      documents: Documents,
      id: string | undefined,
      data: Data,
      options: DocumentOptions,
    ) => Promise<WriteResult>,
  ): Pick<WriteOperation, 'prepare' | 'prepareOutput'> => ({
    prepareOutput,
    prepare: (params, access) => ({
      async run(input, context) {
        const options = buildOptions(params, access, context)
        const { plan, entry } = await run(documents, getDocumentId(input), input.data ?? {}, options)
        return { plan, entries: [entry], page: undefined, total: undefined }
      },
    }),
  })
  const prepareOutput = (params: Params, caller: Permissions, publicationState: 'live' | 'draft') =>
    content.prepareOutput(type, { ...params, publicationState }, caller)

  return {
    read: {
      find: implementFind(type, content),
      findOne(params, access, { refusal } = {}) {
        assertSeesDrafts(type, params, access, refusal)
        return content.prepareFindDocument(type, params, access)
      },
    },
    write: {
      create: writing((within, _id, data, options) => within.create(type, data, options)),
      update: writing((within, id, data, options) => within.update(type, id, data, options)),
      delete: {
        prepareOutput,
        prepare: (params, access) => ({
          async run(input, context) {
            const options = buildOptions(params, access, { ...context, output: undefined })
            await documents.delete(type, getDocumentId(input), options)
            return undefined
          },
        }),
      },
      publish: writing((within, id, _data, options) => within.publish(type, id, options)),
      unpublish: writing((within, id, _data, options) => within.unpublish(type, id, options)),
      discardDraft: writing((within, id, _data, options) => within.discardDraft(type, id, options)),
    },
  }
}

function buildOptions(
  params: Params,
  access: Permissions,
  { by, own, budget, output, as, tally, dryRun, ifVersion }: RunContext,
): DocumentOptions {
  return {
    params,
    access,
    by,
    own,
    as,
    tally,
    dryRun,
    ifVersion,
    budget,
    output,
    status: params.publicationState === 'draft' ? 'draft' : 'published',
    locale: params.locale === 'all' ? '*' : params.locale,
  }
}

function getDocumentId({ id }: Input): string | undefined {
  return id === undefined ? undefined : String(id)
}
