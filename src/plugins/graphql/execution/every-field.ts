// Tests every field of an operation, including its fragments.

import {
  BREAK,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import type { DocumentFacts } from './parse-document.ts'

interface FieldTests {
  holds(field: GraphQLField<unknown, unknown>, isRoot: boolean): boolean
  /** Whether `resolveType` of the type is synchronous and never throws. */
  isSafeAbstract(type: GraphQLAbstractType): boolean
}

export function visitsEveryField(
  operation: OperationDefinitionNode,
  { fragments }: Pick<DocumentFacts, 'fragments'>,
  schema: GraphQLSchema,
  { holds, isSafeAbstract }: FieldTests,
): boolean {
  const root = schema.getRootType(operation.operation)
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
          all &&= field !== undefined && field !== null && holds(field, types.getParentType() === root)
          all &&= !isAbstractType(type) || isSafeAbstract(type)
          return all ? undefined : BREAK
        },
      }),
    )
  }
  return all
}
