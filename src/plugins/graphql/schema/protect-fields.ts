// Wraps every resolver that needs a permission in a check of it.

import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
} from 'graphql'
import { loginNeeded } from '../../../access/explain-refusal.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { assertMayResolve, resolveFacts } from '../fields/field-facts.ts'

export function protectFields(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields()))
      protect(field, roots.includes(type as GraphQLObjectType))
  }
  return schema
}

/** Throws ForbiddenError. */
export function assertRootField(
  field: { readonly extensions: Readonly<Record<string, unknown>> },
  context: GraphqlContext,
): void {
  const { auth } = resolveFacts(field)
  if (auth === undefined) assertKnown(context)
  else assertMayResolve(auth, context.principal)
}

function protect(field: GraphQLField<unknown, GraphqlContext>, isRoot: boolean): void {
  const { auth } = resolveFacts(field)
  if (auth === false || (auth === undefined && !isRoot)) return
  const assertAllowed = (context: GraphqlContext): void => {
    if (auth === undefined) assertKnown(context)
    else assertMayResolve(auth, context.principal)
  }
  const { subscribe } = field
  if (subscribe !== undefined)
    field.subscribe = (parent, args, context, info) => {
      assertAllowed(context)
      return subscribe(parent, args, context, info)
    }
  const resolve = field.resolve ?? defaultFieldResolver
  field.resolve = (parent, args, context, info) => {
    assertAllowed(context)
    return resolve(parent, args, context, info)
  }
}

/** A root field without declared permissions requires an authenticated caller. */
function assertKnown({ principal }: GraphqlContext): void {
  if (principal.kind === 'public')
    throw new ApiError('ForbiddenError', 'Forbidden access').because(loginNeeded)
}
