// Adds the creation of nested entries to the writes of entries and documents.

import { invariant } from '../lib/errors/invariant.ts'
import type { ContentType } from '../model/content-type.ts'
import { getId } from '../query/rows/entry.ts'
import { createRequestBudget } from '../query/rows/request-budget.ts'
import type {
  Content,
  DocumentOptions,
  Documents,
  PreparedOutput,
  WriteOptions,
  WriteResult,
} from './content.ts'
import type { Writes } from './create-writes.ts'
import { type NestedOptions, writeNested } from './nested-entries.ts'

type Data = Readonly<Record<string, unknown>>

interface NestedWritesContext {
  readonly writes: Writes
  readonly documents: Documents | undefined
  readonly writeRows: number
  readonly prepareOutput: Content['prepareOutput']
  inTransaction<T>(task: () => Promise<T>): Promise<T>
}

interface NestedWrites extends Pick<Content, 'create' | 'localize' | 'update'> {
  readonly documents: Documents | undefined
}

const ONLY_ID = { fields: ['id'], publicationState: 'preview' } as const

export function createNestedWrites(context: NestedWritesContext): NestedWrites {
  const { writes, documents, prepareOutput } = context

  function nest(
    type: ContentType,
    data: Data,
    options: WriteOptions,
    write: (data: Data, options: WriteOptions) => Promise<WriteResult>,
  ): Promise<WriteResult> {
    return writeNested(context, {
      type,
      data,
      options,
      write,
      createRelated: (target, related, given) => createRelated(target, related, given, options.params.locale),
      getId: async ({ entry }) => getId(entry),
      readAgain: (result) =>
        readAgain(
          result,
          options,
          () => options.output?.() ?? prepareOutput(type, options.params, options.access),
        ),
    })
  }

  /** Documents of Strapi 5 are created in the locale and status of the entry. */
  async function createRelated(
    type: ContentType,
    data: Data,
    options: NestedOptions,
    locale: unknown,
    status?: DocumentOptions['status'],
  ): Promise<number | string> {
    if (documents === undefined || type.document === undefined) {
      const { entry } = await writes.create(type, data, { ...options, params: ONLY_ID })
      return getId(entry)
    }
    const { entry } = await documents.create(type, data, {
      ...options,
      params: { fields: ['id'] },
      ...(status !== undefined && { status }),
      ...(type.localized && { locale }),
    })
    return getDocumentId(documents, type, getId(entry))
  }

  function nestDocument(
    of: Documents,
    type: ContentType,
    data: Data,
    options: DocumentOptions,
    write: (data: Data, options: DocumentOptions) => Promise<WriteResult>,
  ): Promise<WriteResult> {
    const { status, locale, params, access } = options
    const shown = status === 'draft' ? 'draft' : 'live'
    return writeNested(context, {
      type,
      data,
      options,
      write,
      createRelated: (target, related, given) => createRelated(target, related, given, locale, status),
      getId: ({ entry }) => getDocumentId(of, type, getId(entry)),
      readAgain: (result) =>
        readAgain(
          result,
          options,
          () =>
            options.output?.(shown) ?? prepareOutput(type, { ...params, publicationState: shown }, access),
        ),
    })
  }

  return {
    create: (type, data, options) =>
      nest(type, data, options, (plain, given) => writes.create(type, plain, given)),
    localize: (type, id, data, options) =>
      nest(type, data, options, (plain, given) => writes.localize(type, id, plain, given)),
    update: (type, id, data, options) =>
      nest(type, data, options, (plain, given) => writes.update(type, id, plain, given)),
    documents: documents && {
      ...documents,
      create: (type, data, options) =>
        nestDocument(documents, type, data, options, (plain, given) => documents.create(type, plain, given)),
      update: (type, id, data, options) =>
        nestDocument(documents, type, data, options, (plain, given) =>
          documents.update(type, id, plain, given),
        ),
    },
  }
}

async function getDocumentId(documents: Documents, type: ContentType, row: number): Promise<string> {
  const version = await documents.ofRow(type, row)
  invariant(version !== undefined, 'a document just written has an id')
  return version.documentId
}

async function readAgain(
  { entry: written }: WriteResult,
  { budget = createRequestBudget() }: Pick<WriteOptions, 'budget'>,
  getOutput: () => PreparedOutput,
): Promise<WriteResult> {
  const output = getOutput()
  const [entry] = await output.readAll([getId(written)], budget)
  invariant(entry !== undefined, 'an entry just written can be read')
  return { plan: output.plan, entry }
}
