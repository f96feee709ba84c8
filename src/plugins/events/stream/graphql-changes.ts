// Subscriptions `articleChanged(filters)` of the GraphQL schema, for each content-type with events.

import { ApiError } from '../../../lib/errors/api-error.ts'
import type { Access } from '../../../model/access.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { getPlugin, nameOfType, toCamelCase } from '../../../model/naming.ts'
import type { CreateGraphqlExtension, GraphqlResolver, GraphqlSubscriber } from '../../graphql-extension.ts'
import { parseFilters } from '../../graphql-filters.ts'
import type { PluginContext } from '../../plugin.ts'
import type { FollowAs } from './follow-as.ts'
import type { VisibleEvent } from './visible-events.ts'

export function createGraphqlChanges(
  types: readonly ContentType[],
  followAs: FollowAs,
  { content }: Pick<PluginContext, 'content'>,
): CreateGraphqlExtension {
  return (tools) => {
    const shown = types.filter((type) => tools.isShown(type))
    const definitions: string[] = []
    const resolvers: Record<string, Record<string, GraphqlResolver>> = { Subscription: {} }
    const subscriptions: Record<string, GraphqlSubscriber> = {}
    const auth: Record<string, { readonly scope: readonly string[] }> = {}
    for (const type of shown) {
      const name = nameOfType(type)
      const field = `${toCamelCase(`${getPlugin(type.uid)}-${type.singularName}`)}Changed`
      const documents = type.document !== undefined
      const versions = hasVersions(type) ? ', status: PublicationStatus = PUBLISHED' : ''
      const states = type.draftAndPublish ? ', publicationState: PublicationState = LIVE' : ''
      const drafts = documents ? versions : states
      const ids = hasVersions(type)
        ? 'documentId: ID, status: PublicationStatus'
        : documents
          ? 'id: ID, documentId: ID'
          : 'id: ID'
      const shownLocale = documents && type.localized ? ' locale: String' : ''
      const answered = documents ? name : `${name}EntityResponse`
      const locale = type.localized ? ', locale: I18NLocaleCode' : ''
      definitions.push(
        `type ${name}Change { action: String! ${ids}${shownLocale} changed: [String!]! at: DateTime! entry: ${answered} }`,
        `type Subscription { ${field}(filters: ${name}FiltersInput${drafts}${locale}): ${name}Change }`,
      )
      auth[`Subscription.${field}`] = { scope: [`${type.uid}.find`] }
      resolvers['Subscription'] = { ...resolvers['Subscription'], [field]: (parent) => parent }
      resolvers[`${name}Change`] = {
        async entry(parent, _args, context, info) {
          const { action, id, documentId, status, locale: code } = parent as ReturnType<typeof getChange>
          if (id === null || action === 'delete' || action === 'reset') return null
          const { params, access, budget, resolve: response } = tools.entrySelection(type, context, info)
          if (hasVersions(type)) {
            const version = { publicationState: status === 'draft' ? ('draft' as const) : ('live' as const) }
            const asked = { ...params, ...version, ...(code === null ? {} : { locale: code }) }
            const prepared = content.prepareFindDocument(type, asked, access)
            const [entry] = (await prepared.run({ id: documentId ?? '' }, { budget })).entries
            return entry === undefined ? null : response(prepared.plan, entry)
          }
          const hideDrafts = !access.seesDrafts(type)
          const prepared = content.prepareFindOne(type, params, access, hideDrafts)
          const [entry] = (await prepared.run({ id }, { budget })).entries
          return entry === undefined ? null : response(prepared.plan, entry)
        },
      }
      subscriptions[field] = async function* ({ filters, publicationState, status, locale: code }, context) {
        if (hasVersions(type) && status === 'draft' && hidesDrafts(type, context.principal.permissions))
          throw new ApiError('ForbiddenError', 'Forbidden access')
        const params = {
          fields: ['id'],
          ...(filters === undefined || filters === null ? {} : { filters: parseFilters(type, filters) }),
          ...(publicationState === 'preview' ? { publicationState: 'preview' as const } : {}),
          ...(hasVersions(type) && status === 'draft' ? { publicationState: 'draft' as const } : {}),
          ...(code === undefined || code === null ? {} : { locale: code === '*' ? 'all' : code }),
        }
        yield* followAs(context, type, params, getChange)
      }
    }
    if (shown.length === 0) return {}
    return { typeDefs: definitions.join('\n'), resolvers, subscriptions, auth }
  }
}

const changes = new WeakMap<VisibleEvent, ReturnType<typeof readChange>>()

function getChange(told: VisibleEvent) {
  const change = changes.get(told) ?? readChange(told)
  changes.set(told, change)
  return change
}

function readChange({ action, event, changed, status }: VisibleEvent) {
  const { entry, document, locale, at } = event
  return {
    action,
    id: entry ?? null,
    documentId: document?.id ?? null,
    status: status ?? null,
    locale: locale ?? null,
    changed,
    at: new Date(at).toISOString(),
  }
}

function hidesDrafts(type: ContentType, access: Access): boolean {
  return !access.seesDrafts(type) && access.findDraftRule(type) === undefined
}
