// Builds a content-type's root fields from its operations, each with its permission.

import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import { buildRecord } from '../../../lib/is-record.ts'
import { takesData, versionActions } from '../../../model/actions.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { nameOfType } from '../../../model/naming.ts'
import type { Operation } from '../../../operations/operation.ts'
import { isRanked } from '../../../plan/plan-search.ts'
import { withFacts } from '../fields/field-facts.ts'
import { getManyName, getQueryNames } from '../graphql-names.ts'
import { changeArgument } from '../resolvers/changes.ts'
import { AggregateGroups, aggregateArguments } from './aggregate-types.ts'
import type { Field } from './entry-envelopes.ts'
import type { EntryTypes } from './output-types.ts'
import type { SchemaBuilding } from './schema-building.ts'

interface RootFields {
  readonly queries: Record<string, Field>
  readonly mutations: Record<string, Field>
  /** Mutations listed after those of all content-types. */
  readonly laterMutations: Record<string, Field>
}

/** Differences of root fields between the API versions. */
export interface RootForm {
  /** Arguments that choose an entry and its version. */
  targetArguments(operation: Operation): GraphQLFieldConfigArgumentMap
  readonly localeDescription: string | undefined
  reading(operation: Operation, types: EntryTypes): readonly RootField[]
  writtenType(operation: Operation, types: EntryTypes): GraphQLOutputType
}

interface RootField {
  readonly name: string
  readonly type: GraphQLOutputType
  /** Whether results have no envelope. */
  readonly isBare?: boolean
}

export function getRootFields(
  type: ContentType,
  form: RootForm,
  types: EntryTypes,
  building: SchemaBuilding,
): RootFields {
  const { shadowCrud, operations, resolvers, localeCode } = building
  const { uid } = type
  const generates = getGenerates(type)
  const input = types.inputs.data(type)
  const locale: GraphQLFieldConfigArgumentMap =
    type.localized && localeCode !== undefined
      ? { locale: { type: localeCode, description: form.localeDescription ?? null } }
      : {}
  const served = operations.of(type).filter((operation) => {
    const { action, permitted, effect, output, isGranted } = operation
    if (output === 'number' || (effect === 'summarize' && !uid.startsWith('api::'))) return false
    if (effect !== 'write')
      return (
        generates.queries && shadowCrud.areQueriesEnabled(uid) && shadowCrud.isActionEnabled(uid, permitted)
      )
    if (!shadowCrud.areMutationsEnabled(uid) || (takesData(operation) && input === undefined)) return false
    // As in Strapi, switching off single actions does not remove this one.
    if (action === 'createLocalization') return localeCode !== undefined
    // Strapi lacks them, so that only files that grant them change its schema.
    if (output === 'entries' && !isGranted) return false
    const isServed = generates.mutations && shadowCrud.isActionEnabled(uid, action)
    return isServed && !versionActions.some((one) => one === action)
  })
  const fields: RootFields = { queries: {}, mutations: {}, laterMutations: {} }
  for (const operation of findOneFirst(served)) {
    const { action, permitted, effect, output } = operation
    const resolve = resolvers.root(operation)
    const args: GraphQLFieldConfigArgumentMap = {
      ...(output !== 'entry' && effect !== 'write' && types.listArguments(type)),
      ...(output === 'list' && isRanked(type) && { search: { type: GraphQLString } }),
      ...(output === 'groups' && aggregateArguments),
      ...form.targetArguments(operation),
      ...payloadArguments(operation, input, types),
      ...(VERSIONED.has(action) && { ifVersion: { type: GraphQLInt } }),
      ...(CHANGING.has(action) && changeArgument),
      ...locale,
    }
    // A root field that reads also reads everything below it ahead.
    const facts = {
      auth: { scope: [generates.permission(permitted)] },
      ...(effect === 'read' && { reads: true as const }),
    }
    const common = { args, extensions: withFacts(facts) }
    if (effect === 'summarize') {
      fields.queries[`${getQueryNames(type).many}Aggregate`] = { type: AggregateGroups, resolve, ...common }
      continue
    }
    if (effect === 'write') {
      const written =
        output === 'entries' ? new GraphQLNonNull(types.written(type)) : form.writtenType(operation, types)
      const into = action === 'createLocalization' ? fields.laterMutations : fields.mutations
      into[mutationName(operation)] = { type: written, resolve, ...common }
      continue
    }
    for (const { name, type: answered, isBare = false } of form.reading(operation, types))
      fields.queries[name] = {
        type: answered,
        resolve: isBare ? resolvers.bare(resolve) : resolve,
        ...common,
      }
  }
  return fields
}

const VERSIONED: ReadonlySet<string> = new Set(['update', 'delete'])
const CHANGING: ReadonlySet<string> = new Set(['update', 'updateMany'])

function findOneFirst(operations: readonly Operation[]): readonly Operation[] {
  const isOne = ({ action }: Operation): boolean => action === 'findOne'
  return [...operations.filter(isOne), ...operations.filter((operation) => !isOne(operation))]
}

function mutationName({ type, action, output }: Operation): string {
  if (output === 'entries') return getManyName(action, type)
  const name = nameOfType(type)
  return action === 'createLocalization' ? `create${name}Localization` : `${action}${name}`
}

function payloadArguments(
  { type, action, takes, output }: Operation,
  input: GraphQLInputObjectType | undefined,
  types: EntryTypes,
): GraphQLFieldConfigArgumentMap {
  if (action === 'createLocalization' && input !== undefined) return { data: { type: input } }
  const args: GraphQLFieldConfigArgumentMap = {}
  if (takes.includes('filters')) args['filters'] = { type: new GraphQLNonNull(types.inputs.filters(type)) }
  if (takes.includes('on'))
    args['on'] = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))) }
  if (takes.includes('data') && input !== undefined) args['data'] = { type: new GraphQLNonNull(input) }
  if (takes.includes('items') && input !== undefined)
    args['data'] = { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(input))) }
  if (output === 'entries') args['plan'] = { type: GraphQLBoolean, defaultValue: false }
  return args
}

interface Generates {
  readonly queries: boolean
  readonly mutations: boolean
  permission(action: string): string
}

/**
 * A plugin's content-type can replace the generated operations or their actions in `pluginOptions.graphql`.
 */
function getGenerates({ uid, pluginOptions }: ContentType): Generates {
  const options = pluginOptions?.['graphql']
  const { queries, mutations, controller, actions } = buildRecord(options)
  const prefix = typeof controller === 'string' ? controller : uid
  const renamed = buildRecord(actions)
  return {
    queries: queries !== false,
    mutations: mutations !== false,
    permission: (action) => `${prefix}.${String(renamed[action] ?? action)}`,
  }
}
