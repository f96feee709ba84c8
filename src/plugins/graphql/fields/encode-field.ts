// The contract of a root field whose answer is written from rows, without objects in between (decision 0071).

import type { GraphQLResolveInfo } from 'graphql'

import type { AnswerBudget } from '../../../content/rows/answer-budget.ts'
import type { ReadFrom } from '../../../http/kept-answers.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'

/**
 * `args` are coerced by graphql-js; `budget` and `readFrom` are those of the operation. Returns JSON; throws, or rejects
 * with, Unencodable or the error of the read. What it reads is added to `readFrom` before.
 */
export type EncodeField = (
  args: Readonly<Record<string, unknown>>,
  context: GraphqlContext,
  place: FieldPlace,
  budget: AnswerBudget,
  readFrom: ReadFrom | undefined,
) => string | Promise<string>

/** The answer is more than data: a refusal, or a value that its type cannot represent. The engines can express it. */
export class Unencodable extends Error {
  override name = 'Unencodable'
}

export type FieldPlace = Pick<
  GraphQLResolveInfo,
  'fieldNodes' | 'fragments' | 'variableValues' | 'schema' | 'returnType'
>
