// Subscriptions of the GraphQL schema: `articleChanged(filters)` for each content-type whose changes are events.

import type { ContentType } from '../../../model/content-type.ts'
import { camelCase, nameOfType, pluginOf } from '../../../model/naming.ts'
import type { CreateGraphqlExtension, GraphqlResolver, GraphqlSubscriber } from '../../graphql-extension.ts'
import { parseFilters } from '../../graphql-filters.ts'
import type { PluginContext } from '../../plugin.ts'
import type { FollowAs } from './follow-as.ts'
import type { Told } from './tell-events.ts'

export function graphqlChanges(
  types: readonly ContentType[],
  followAs: FollowAs,
  { content }: Pick<PluginContext, 'content'>,
): CreateGraphqlExtension {
  return (tools) => {
    const shown = types.filter((type) => tools.isShown(type) && type.document === undefined)
    const definitions: string[] = []
    const resolvers: Record<string, Record<string, GraphqlResolver>> = { Subscription: {} }
    const subscriptions: Record<string, GraphqlSubscriber> = {}
    const auth: Record<string, { readonly scope: readonly string[] }> = {}
    for (const type of shown) {
      const name = nameOfType(type)
      const field = `${camelCase(`${pluginOf(type.uid)}-${type.singularName}`)}Changed`
      const drafts = type.publishedAt === undefined ? '' : ', publicationState: PublicationState = LIVE'
      const locale = type.localized ? ', locale: I18NLocaleCode' : ''
      definitions.push(
        `type ${name}Change { action: String! id: ID changed: [String!]! at: DateTime! entry: ${name}EntityResponse }`,
        `type Subscription { ${field}(filters: ${name}FiltersInput${drafts}${locale}): ${name}Change }`,
      )
      auth[`Subscription.${field}`] = { scope: [`${type.uid}.find`] }
      resolvers['Subscription'] = { ...resolvers['Subscription'], [field]: (parent) => parent }
      resolvers[`${name}Change`] = {
        async entry(parent, _args, context, info) {
          const { action, id } = parent as ReturnType<typeof changeOf>
          if (id === null || action === 'delete' || action === 'reset') return null
          const { params, access, answer } = tools.entrySelection(type, context, info)
          const hideDrafts = !access.seesDrafts(type)
          const prepared = content.prepareFindOne(type, params, access, hideDrafts)
          const entry = await prepared.read(id)
          return entry === undefined ? null : answer(prepared.plan, entry)
        },
      }
      subscriptions[field] = async function* ({ filters, publicationState, locale: code }, { request }) {
        const params = {
          fields: ['id'],
          ...(filters === undefined || filters === null ? {} : { filters: parseFilters(type, filters) }),
          ...(publicationState === 'preview' ? { publicationState: 'preview' as const } : {}),
          ...(code === undefined || code === null ? {} : { locale: code }),
        }
        const wanted = { types: new Set([type]), params }
        for await (const { told, principal } of followAs(request, wanted))
          yield { value: changeOf(told), principal }
      }
    }
    if (shown.length === 0) return {}
    return { typeDefs: definitions.join('\n'), resolvers, subscriptions, auth }
  }
}

function changeOf({ action, event, changed }: Told) {
  return { action, id: event.entry ?? null, changed, at: new Date(event.at).toISOString() }
}
