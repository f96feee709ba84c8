// The contract of a root field whose answer is written from rows, without objects in between (decision 0071).

import type { GraphQLResolveInfo } from 'graphql'

import type { AnswerBudget } from '../../../content/answer-budget.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'

/**
 * `args` as graphql-js coerced them; `budget` is the operation's. Answers JSON; throws, or rejects with, Unencodable or what
 * reading failed with.
 */
export type EncodeField = (
  args: Readonly<Record<string, unknown>>,
  context: GraphqlContext,
  place: FieldPlace,
  budget: AnswerBudget,
) => string | Promise<string>

/** There is more to say than data: a refusal, or a value that its type has no place for. Engines know how to say it. */
export class Unencodable extends Error {
  override name = 'Unencodable'
}

export type FieldPlace = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'variableValues' | 'schema' | 'returnType'
>
