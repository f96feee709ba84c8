// The operations of a content-type, each with the permission that it needs.

import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLNonNull,
} from 'graphql'
import type { ContentType } from '../../../model/content-type.ts'
import { nameOfType } from '../../../model/naming.ts'
import { recordOf } from '../../../util/is-record.ts'
import { withFacts } from '../fields/field-facts.ts'
import { graphqlQueryNames } from '../graphql-names.ts'
import { PublicationStateEnum } from './common-types.ts'
import type { Field } from './entry-envelopes.ts'
import type { EntryTypes } from './output-types.ts'
import type { SchemaBuilding } from './schema-building.ts'

export interface RootFields {
  readonly queries: Record<string, Field>
  readonly mutations: Record<string, Field>
}

export function rootFieldsOf(type: ContentType, types: EntryTypes, building: SchemaBuilding): RootFields {
  const { shadowCrud, resolvers, localeCode } = building
  const { uid } = type
  const generates = generatesOf(type)
  const name = nameOfType(type)
  const names = graphqlQueryNames(type)
  const single = type.kind === 'singleType'
  const input = types.inputs.data(type)
  const locale: GraphQLFieldConfigArgumentMap =
    type.localized && localeCode !== undefined ? { locale: { type: localeCode } } : {}
  const state: GraphQLFieldConfigArgumentMap =
    type.publishedAt === undefined
      ? {}
      : { publicationState: { type: PublicationStateEnum, defaultValue: 'live' } }
  const queries: Record<string, Field> = {}
  const mutations: Record<string, Field> = {}
  const serves = (action: string): boolean => shadowCrud.isActionEnabled(uid, action)

  if (generates.queries && shadowCrud.areQueriesEnabled(uid)) {
    const response = types.one(type)
    if (single) {
      if (serves('find')) {
        const args = { ...state, ...locale }
        const resolve = resolvers.findSingle(type)
        queries[names.one] = { type: response, args, resolve, ...needs(generates, 'find', true) }
      }
    } else {
      if (serves('findOne')) {
        const args = { id: { type: GraphQLID }, ...locale }
        const resolve = resolvers.findOne(type)
        queries[names.one] = { type: response, args, resolve, ...needs(generates, 'findOne', true) }
      }
      if (serves('find') && names.many !== undefined) {
        const args = { ...types.listArguments(type), ...locale }
        const resolve = resolvers.find(type)
        queries[names.many] = {
          type: types.collection(type),
          args,
          resolve,
          ...needs(generates, 'find', true),
        }
      }
    }
  }
  if (generates.mutations && shadowCrud.areMutationsEnabled(uid)) {
    const id = single ? {} : { id: { type: new GraphQLNonNull(GraphQLID) } }
    const response = types.one(type)
    if (!single && serves('create') && input !== undefined) {
      mutations[`create${name}`] = {
        type: response,
        args: { ...dataArgument(input), ...locale },
        resolve: resolvers.create(type),
        ...needs(generates, 'create'),
      }
    }
    if (serves('update') && input !== undefined) {
      mutations[`update${name}`] = {
        type: response,
        args: { ...id, ...dataArgument(input), ...locale },
        resolve: single ? resolvers.updateSingle(type) : resolvers.update(type),
        ...needs(generates, 'update'),
      }
    }
    if (serves('delete')) {
      mutations[`delete${name}`] = {
        type: response,
        args: { ...id, ...locale },
        resolve: single ? resolvers.deleteSingle(type) : resolvers.delete(type),
        ...needs(generates, 'delete'),
      }
    }
  }
  return { queries, mutations }
}

/** The permission that a root field needs. `reads`: whether it reads everything below it ahead. */
export function needs({ actionOf }: Generates, action: string, reads = false): Pick<Field, 'extensions'> {
  return { extensions: withFacts({ auth: { scope: [actionOf(action)] }, ...(reads && { reads }) }) }
}

export function dataArgument(input: GraphQLInputObjectType): GraphQLFieldConfigArgumentMap {
  return { data: { type: new GraphQLNonNull(input) } }
}

export interface Generates {
  readonly queries: boolean
  readonly mutations: boolean
  /** The permission that an action needs. */
  actionOf(action: string): string
}

/** A plugin's content-type can replace the generated operations or their actions: `pluginOptions.graphql`. */
export function generatesOf({ uid, pluginOptions }: ContentType): Generates {
  const options = pluginOptions?.['graphql']
  const { queries, mutations, controller, actions } = recordOf(options)
  const prefix = typeof controller === 'string' ? controller : uid
  const renamed = recordOf(actions)
  return {
    queries: queries !== false,
    mutations: mutations !== false,
    actionOf: (action) => `${prefix}.${String(renamed[action] ?? action)}`,
  }
}
