// Resolves root fields that write; the result is read within the transaction of the write.

import { ApiError } from '../../../lib/errors/api-error.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { assertEveryCondition } from '../../../operations/many-operations.ts'
import type { RunContext, WriteOperation } from '../../../operations/operation.ts'
import { assertCondition } from '../../../operations/preconditions.ts'
import type { Params } from '../../../plan/params.ts'
import type { Content } from '../../../write/content.ts'
import type { GraphqlContext, GraphqlResolver } from '../../graphql-extension.ts'
import { parseFilters } from '../../graphql-filters.ts'
import { createAssembler } from '../selection/assemble-entry.ts'
import { WriteResponse } from '../selection/entry-value.ts'
import type { GraphqlLimits } from '../selection/graphql-page.ts'
import { getBudget } from '../selection/request-budget.ts'
import { stateAndLocale } from '../selection/selection-params.ts'
import { ownData } from '../selection/sent-arguments.ts'
import { joinChanges } from './changes.ts'
import { createEntrySelection } from './entry-selection.ts'
import { joinNested } from './nested-data.ts'

type Args = Readonly<Record<string, unknown>>

export function resolveWrite(
  operation: WriteOperation,
  content: Content,
  limits: GraphqlLimits,
): GraphqlResolver {
  const { type, output } = operation
  if (output === 'nothing') return resolveDelete(operation, content)
  if (output === 'entries') return resolveMany(operation, limits)
  const isDocument = type.document !== undefined
  return async (_parent, args, context, info) => {
    const selection = createEntrySelection(type, context, info, limits)
    const params = isDocument ? { ...selection.params, ...stateAndLocale(args) } : selection.params
    const input = {
      id: getId(args),
      data: joinChanges(joinNested(type, (args['data'] ?? {}) as Args), args['change']),
      locale: args['locale'] ?? undefined,
      found: drafts(args),
    }
    // Unlike over REST, an entry is a draft unless its data says otherwise, but is checked as if it were
    // published.
    const running = { ...buildContext(operation, args, context), makesDrafts: !isDocument }
    try {
      const written = await operation.prepare(params, context.principal.permissions).run(input, running)
      const [entry] = written?.entries ?? []
      if (written === undefined || entry === undefined)
        throw new ApiError('NotFoundError', 'Entity not found')
      return selection.resolve(written.plan, entry)
    } catch (error) {
      // As in Strapi, an unknown document is null without an error.
      if (isDocument && operation.action === 'update' && isNotFound(error)) return null
      throw error
    }
  }
}

function resolveMany(operation: WriteOperation, limits: GraphqlLimits): GraphqlResolver {
  const { type, takes } = operation
  return async (_parent, args, context, info) => {
    const { params } = createEntrySelection(type, context, info, limits)
    const { data, change, filters, on, plan: dryRun } = args
    // Before they are parsed, which drops empty conditions.
    assertEveryCondition(filters)
    const input = {
      ...(takes.includes('items') && {
        items: (data as readonly Args[]).map((one) => joinNested(type, one)),
      }),
      ...(takes.includes('data') && { data: joinChanges(joinNested(type, data as Args), change) }),
      filters: filters === undefined ? undefined : parseFilters(type, filters),
      on,
    }
    const written = await operation
      .prepare({ ...params, ...stateAndLocale(args) }, context.principal.permissions)
      .run(input, {
        ...buildContext(operation, args, context),
        makesDrafts: type.document === undefined,
        dryRun: dryRun === true,
      })
    const assemble = written && createAssembler(written.plan)
    return new WriteResponse((assemble && written?.entries.map(assemble)) ?? [], written?.changes?.counts)
  }
}

function resolveDelete(operation: WriteOperation, content: Content): GraphqlResolver {
  return async (_parent, args, context) => {
    const { permissions } = context.principal
    const documentId = getId(args) ?? (await idOfSingle(content, operation.type, args, context))
    if (documentId === undefined) throw new ApiError('NotFoundError', 'Document not found')
    await operation
      .prepare(stateAndLocale(args), permissions)
      .run({ id: getId(args) }, buildContext(operation, args, context))
    return { documentId }
  }
}

async function idOfSingle(
  content: Content,
  type: ContentType,
  { locale }: Args,
  { principal }: GraphqlContext,
): Promise<unknown> {
  const params = { publicationState: 'draft', fields: ['id'], ...stateAndLocale({ locale }) } as const
  return (await content.findFirst(type, params, principal.permissions))?.['documentId']
}

function buildContext(operation: WriteOperation, args: Args, context: GraphqlContext): RunContext {
  const { ifVersion } = args
  assertCondition(operation, typeof ifVersion === 'number')
  return {
    by: context.principal,
    budget: getBudget(context),
    own: ownData(args),
    ifVersion: typeof ifVersion === 'number' ? [ifVersion] : undefined,
  }
}

/** Undefined for single types. */
function getId({ id, documentId = id }: Args): string | undefined {
  return documentId === undefined ? undefined : String(documentId)
}

/** Finds the entry of a single type in its locale, published or not. */
function drafts({ locale }: Args): Params {
  const state = { publicationState: 'preview', fields: ['id'] } as const
  return locale === undefined || locale === null ? state : { ...state, locale }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.name === 'NotFoundError'
}
