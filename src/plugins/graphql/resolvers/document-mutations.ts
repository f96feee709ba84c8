// Mutations of documents: a write changes the draft and publishes it, unless `status` asks for the draft.

import type { WriteOptions } from '../../../content/content.ts'
import { ApiError } from '../../../errors/api-error.ts'
import { invariant } from '../../../errors/invariant.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import { budgetOf } from '../selection/request-budget.ts'
import { stateAndLocale } from '../selection/selection-params.ts'
import { ownData } from '../selection/sent-arguments.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'
import { createEntrySelection } from './entry-selection.ts'

type DocumentMutations = Pick<EntryResolvers, 'createDocument' | 'updateDocument' | 'deleteDocument'>
type Args = Readonly<Record<string, unknown>>

export function createDocumentMutations({ content, limits }: ResolverParts): DocumentMutations {
  const documents = () => {
    invariant(content.documents !== undefined, 'the dialect has documents')
    return content.documents
  }

  function optionsOf(args: Args, context: GraphqlContext, params: WriteOptions['params']) {
    return {
      params: { ...params, ...stateAndLocale(args) },
      access: context.principal.permissions,
      by: context.principal,
      budget: budgetOf(context),
      own: ownData(args),
      status: args['status'] === 'draft' ? ('draft' as const) : ('published' as const),
      locale: args['locale'] ?? undefined,
    }
  }

  return {
    createDocument:
      (type): GraphqlResolver =>
      async (_parent, args, context, info) => {
        const selection = createEntrySelection(type, context, info, limits)
        const options = optionsOf(args, context, selection.params)
        const { plan, entry } = await documents().create(type, dataOf(args), options)
        return selection.answer(plan, entry)
      },

    updateDocument:
      (type): GraphqlResolver =>
      async (_parent, args, context, info) => {
        const selection = createEntrySelection(type, context, info, limits)
        const options = optionsOf(args, context, selection.params)
        try {
          const { plan, entry } = await documents().update(type, idOf(args), dataOf(args), options)
          return selection.answer(plan, entry)
        } catch (error) {
          // As recorded: an unknown document is null without an error.
          if (error instanceof ApiError && error.name === 'NotFoundError') return null
          throw error
        }
      },

    deleteDocument:
      (type): GraphqlResolver =>
      async (_parent, args, context) => {
        const documentId = idOf(args) ?? (await idOfSingle(type, args, context))
        if (documentId === undefined) throw new ApiError('NotFoundError', 'Document not found')
        await documents().delete(type, idOf(args), optionsOf(args, context, {}))
        return { documentId }
      },
  }

  /** Undefined if there is no such document in the locale. */
  async function idOfSingle(
    type: ContentType,
    { locale }: Args,
    { principal }: GraphqlContext,
  ): Promise<unknown> {
    const params = { publicationState: 'draft', fields: ['id'], ...stateAndLocale({ locale }) } as const
    return (await content.findFirst(type, params, principal.permissions))?.['documentId']
  }
}

function dataOf(args: Args): Args {
  return (args['data'] ?? {}) as Args
}

/** Undefined for single types. */
function idOf({ documentId }: Args): string | undefined {
  return documentId === undefined ? undefined : String(documentId)
}
