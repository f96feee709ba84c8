// Whether callers with the same permissions get the same answer to an operation: no field of it is resolved by users'
// code, which may look at anything of a request.

import {
  BREAK,
  type GraphQLAbstractType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { Callers } from './operations.ts'
import type { KnownDocument } from './parse-document.ts'

export interface Impersonality extends Pick<Callers, 'isImpersonal'> {
  isSafeAbstract(type: GraphQLAbstractType): boolean
}

export function isImpersonalOperation(
  operation: OperationDefinitionNode,
  { fragments }: KnownDocument,
  schema: GraphQLSchema,
  { isImpersonal, isSafeAbstract }: Impersonality,
): boolean {
  let all = true
  for (const definition of [operation, ...Object.values(fragments)]) {
    const types = new TypeInfo(schema)
    visit(
      definition,
      visitWithTypeInfo(types, {
        Field({ name }) {
          if (name.value === '__typename') return undefined
          const field = types.getFieldDef()
          const type = getNamedType(types.getType())
          all &&= field !== undefined && field !== null && isImpersonal(field)
          all &&= !isAbstractType(type) || isSafeAbstract(type)
          return all ? undefined : BREAK
        },
      }),
    )
  }
  return all
}
