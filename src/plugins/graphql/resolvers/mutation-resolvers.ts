// Resolvers for create, update and delete, of collection types and single types. The answer is read within the
// transaction of the write.

import type { Permissions } from '../../../auth/principal.ts'
import type { WriteOptions, Written } from '../../../content/content.ts'
import { assertOneLocale, saveSingle } from '../../../content/save-single.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { NO_ENTRY, parseId } from '../../../plan/parse-id.ts'
import type { GraphqlResolver } from '../../graphql-extension.ts'
import { budgetOf } from '../selection/request-budget.ts'
import { ownData } from '../selection/sent-arguments.ts'
import type { EntryResolvers, ResolverParts } from './entry-resolvers.ts'
import { createEntrySelection } from './entry-selection.ts'

type MutationResolvers = Pick<
  EntryResolvers,
  'create' | 'localize' | 'update' | 'delete' | 'updateSingle' | 'deleteSingle'
>
type Data = Readonly<Record<string, unknown>>

export function createMutationResolvers({ content, limits }: ResolverParts): MutationResolvers {
  /** A resolver that writes, then returns what its selection asks of the entry. */
  function writing(
    type: ContentType,
    write: (args: Data, options: WriteOptions & { readonly access: Permissions }) => Promise<Written>,
  ): GraphqlResolver {
    return async (_parent, args, context, info) => {
      const selection = createEntrySelection(type, context, info, limits)
      const by = context.principal
      const access = by.permissions
      // A draft that the client did not explicitly request is validated in full, like a published entry.
      const complete = isUnsaid(type, args)
      const budget = budgetOf(context)
      const own = ownData(args)
      const { plan, entry } = await write(args, {
        params: selection.params,
        access,
        by,
        complete,
        budget,
        own,
      })
      return selection.answer(plan, entry)
    }
  }

  return {
    create: (type) => writing(type, (args, options) => content.create(type, draftOf(type, args), options)),

    update: (type) =>
      writing(type, (args, options) => content.update(type, idGiven(args), dataOf(args), options)),

    delete: (type) => writing(type, (args, options) => content.delete(type, idGiven(args), options)),

    localize: (type) =>
      writing(type, (args, options) => {
        const source = type.kind === 'singleType' ? undefined : (parseId(String(args['id'])) ?? NO_ENTRY)
        return content.localize(type, source, { ...dataOf(args), ...localeOf(args) }, options)
      }),

    updateSingle: (type) =>
      writing(type, (args, options) => {
        const data = { update: dataOf(args), create: draftOf(type, args) }
        return saveSingle(content, type, localeOf(args).locale, data, options)
      }),

    deleteSingle: (type) =>
      writing(type, async (args, options) => {
        assertOneLocale(type, localeOf(args).locale)
        const entry = await content.findFirst(
          type,
          { publicationState: 'preview', fields: ['id'], ...localeOf(args) },
          options.access,
        )
        if (entry === undefined) throw new ApiError('NotFoundError', 'Entity not found')
        return content.delete(type, entry.id, options)
      }),
  }
}

function dataOf(args: Data): Data {
  return (args['data'] ?? {}) as Data
}

/** Unlike over REST, an entry is a draft unless its data says otherwise. */
function draftOf(type: ContentType, args: Data): Data {
  const data = { ...dataOf(args), ...localeOf(args) }
  const { publishedAt } = type
  if (publishedAt === undefined) return data
  return { ...data, [publishedAt.name]: dataOf(args)[publishedAt.name] ?? null }
}

function isUnsaid({ publishedAt }: ContentType, args: Data): boolean {
  return publishedAt !== undefined && dataOf(args)[publishedAt.name] === undefined
}

function localeOf(args: Data): { readonly locale?: unknown } {
  const { locale } = args
  return locale === undefined || locale === null ? {} : { locale }
}

function idGiven(args: Data): number {
  const id = parseId(String(args['id']))
  if (id === undefined) throw new ApiError('NotFoundError', 'Not Found')
  return id
}
