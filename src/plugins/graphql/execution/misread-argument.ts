// Explains an argument that a field does not have: one of another API's dialect, or an attribute to filter by.

import type { GraphQLSchema } from 'graphql'
import type { Explanation } from '../../../errors/api-error.ts'

const UNKNOWN_ARGUMENT = /^Unknown argument "(\w+)" on field "Query\.(\w+)"\./

/** Arguments of other APIs, in lower case, with what lists have instead. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['limit', 'pagination: { limit: … }'],
  ['first', 'pagination: { limit: … }'],
  ['take', 'pagination: { limit: … }'],
  ['start', 'pagination: { start: … }'],
  ['offset', 'pagination: { start: … }'],
  ['skip', 'pagination: { start: … }'],
  ['page', 'pagination: { page: … }'],
  ['pagesize', 'pagination: { pageSize: … }'],
  ['orderby', 'sort: …'],
  ['order', 'sort: …'],
  ['where', 'filters: { … }'],
])

/** Undefined unless `message` is about an unknown argument of a root field that has the one meant. */
export function misreadArgument(message: string, schema: GraphQLSchema): Explanation | undefined {
  const [, argument = '', field = ''] = UNKNOWN_ARGUMENT.exec(message) ?? []
  const meant = ELSEWHERE.get(argument.toLowerCase()) ?? `filters: { ${argument}: { eq: … } }`
  const known = schema.getQueryType()?.getFields()[field]?.args ?? []
  if (!known.some(({ name }) => meant.startsWith(`${name}:`))) return undefined
  return { message: `did you mean ${field}(${meant})?` }
}
