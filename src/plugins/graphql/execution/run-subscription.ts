// Runs subscriptions (GraphQL specification, 6.2.3): each event of the source is answered like a request of its own.

import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { variablesFault } from './check-variables.ts'
import type { OperationLimits } from './operation-limits.ts'
import { type OperationAnswer, type OperationRequest, SourceEnded, type SourceEvent } from './operations.ts'

export interface SubscriptionParts {
  readonly schema: GraphQLSchema
  readonly limits: Pick<OperationLimits, 'elements'>
  refused(request: OperationRequest, errors: readonly GraphQLError[]): OperationAnswer
  answer(result: ExecutionResult, context: object): OperationAnswer
  failure(fault: unknown, context: object): OperationAnswer
}

export function createSubscriptions({ schema, limits, refused, answer, failure }: SubscriptionParts) {
  return async function* subscribe(
    request: OperationRequest,
    operation: OperationDefinitionNode,
    document: DocumentNode,
    context: object,
  ): AsyncGenerator<OperationAnswer> {
    const given = request.variables ?? {}
    const tooMuch = variablesFault(schema, operation, given, limits.elements)
    if (tooMuch !== undefined) {
      yield refused(request, [tooMuch])
      return
    }
    const asked = {
      schema,
      document,
      variableValues: given,
      operationName: operation.name?.value ?? null,
    }
    try {
      const source = await createSourceEventStream({ ...asked, contextValue: context })
      if (!(Symbol.asyncIterator in source)) {
        yield answer(source, context)
        return
      }
      for await (const event of source) {
        const { value, principal } = event as SourceEvent
        // An object of its own: what an answer may cost is counted with it.
        const own = { ...context, principal }
        yield answer(await execute({ ...asked, rootValue: value, contextValue: own }), own)
      }
    } catch (fault) {
      yield failure(fault, context)
      return
    }
    throw new SourceEnded('the server ends or reloads')
  }
}
