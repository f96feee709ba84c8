// The operations of a document and the name that was sent -> the one to run (GraphQL specification, 6.1).

import type { OperationDefinitionNode } from 'graphql'

/** Text says why there is none. */
export function chooseOperation(
  operations: readonly OperationDefinitionNode[],
  name: string | undefined,
): OperationDefinitionNode | string {
  if (name === undefined || name === '') {
    const [first] = operations
    if (operations.length > 1) return 'Must provide operation name if query contains multiple operations.'
    if (first === undefined) return 'Must provide an operation.'
    return first.operation === 'subscription' ? NO_SUBSCRIPTIONS : first
  }
  const found = operations.find((operation) => operation.name?.value === name)
  if (found === undefined) return `Unknown operation named ${JSON.stringify(name)}.`
  return found.operation === 'subscription' ? NO_SUBSCRIPTIONS : found
}

const NO_SUBSCRIPTIONS = 'Schema is not configured for subscriptions.'
