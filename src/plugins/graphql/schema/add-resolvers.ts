// Adds an extension's `resolvers` to the schema's fields, scalars and abstract types.

import {
  type GraphQLField,
  type GraphQLSchema,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { GraphqlCustomization } from '../../graphql-customization.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { markUnsafe } from '../fields/field-facts.ts'
import { replaceResolver, setSubscriber, type UserResolver } from './wrap-field.ts'

export type TellFault = (message: string, help?: string) => void

type Subscriber = Parameters<typeof setSubscriber>[1]
type Field = GraphQLField<unknown, GraphqlContext>

/** Changes the schema in place. */
export function addResolvers(
  resolvers: unknown,
  schema: GraphQLSchema,
  { readState }: GraphqlCustomization,
  fault: TellFault,
): void {
  if (resolvers === undefined) return
  if (!isRecord(resolvers)) {
    fault('resolvers are given by type, then field')
    return
  }
  for (const [typeName, fields] of Object.entries(resolvers)) {
    if (typeName === 'default') continue
    const type = schema.getType(typeName)
    if (isScalarType(type) && isSpecifiedScalarType(type)) {
      fault(`resolvers for "${typeName}", which is GraphQL's own and the same in every schema`)
      continue
    }
    if (isScalarType(type) && (isRecord(fields) || isScalarType(fields))) {
      const { serialize, parseValue, parseLiteral } = fields as Partial<typeof type>
      Object.assign(type, {
        ...(serialize && { serialize }),
        ...(parseValue && { parseValue }),
        ...(parseLiteral && { parseLiteral }),
      })
      continue
    }
    if (type !== undefined && 'resolveType' in type && isRecord(fields)) {
      const resolve = fields['__resolveType']
      if (typeof resolve === 'function') {
        type.resolveType = resolve as typeof type.resolveType
        markUnsafe(type)
      }
      continue
    }
    if (!isObjectType(type)) {
      const near = didYouMean(typeName, Object.keys(schema.getTypeMap()))
      fault(`resolvers for "${typeName}", and the schema has no such type`, near && `did you mean "${near}"?`)
      continue
    }
    if (!isRecord(fields)) {
      fault(`resolvers for "${typeName}" are given by field`)
      continue
    }
    for (const [name, given] of Object.entries(fields)) {
      const field = type.getFields()[name] as Field | undefined
      const resolve = isRecord(given) ? given['resolve'] : given
      if (field === undefined) {
        const near = didYouMean(name, Object.keys(type.getFields()))
        fault(
          `a resolver for ${typeName}.${name}, and the schema has no such field`,
          near && `did you mean "${near}"?`,
        )
      } else if (typeName === 'Subscription' && isRecord(given) && given['subscribe'] !== undefined) {
        const { subscribe } = given
        if (typeof subscribe !== 'function') fault(`subscribe of ${typeName}.${name} is not a function`)
        else if (resolve !== undefined && typeof resolve !== 'function')
          fault(`the resolver of ${typeName}.${name} is not a function`)
        else setSubscriber(field, subscribe as Subscriber, resolve as Subscriber | undefined, readState)
      } else if (typeof resolve !== 'function') fault(`the resolver of ${typeName}.${name} is not a function`)
      else replaceResolver(field, resolve as UserResolver, readState)
    }
  }
}
