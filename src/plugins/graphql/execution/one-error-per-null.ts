// If several non-null fields of one object are null, the null propagates once, with one error (GraphQL specification,
// 6.4.4). graphql-jit reports an error for each; this keeps one.

import type { ExecutionResult, GraphQLError } from 'graphql'

const RISING = 'Cannot return null for non-nullable field '

export function oneErrorPerNull(result: ExecutionResult): ExecutionResult {
  const { data, errors } = result
  if (errors === undefined || errors.length < 2) return result
  const kept = new Map<string, GraphQLError>()
  for (const [index, error] of errors.entries()) {
    const place = nulledAt(data, error.path)
    const key = place === undefined || !error.message.startsWith(RISING) ? `#${index}` : place
    if (!kept.has(key)) kept.set(key, error)
  }
  return kept.size === errors.length ? result : { ...result, errors: [...kept.values()] }
}

/** The path of the null that a field's error caused, if that is not the field itself. */
export function nulledAt(data: unknown, path: GraphQLError['path']): string | undefined {
  if (path === undefined) return undefined
  let at = data
  for (const [index, key] of path.entries()) {
    if (at === null || at === undefined) return JSON.stringify(path.slice(0, index))
    at = (at as Readonly<Record<string | number, unknown>>)[key]
  }
  return undefined
}
