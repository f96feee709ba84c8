// An action of the API on a content-type, as a value. Faces make its input and write its output.

import type { Permissions } from '../access/principal.ts'
import type { OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { PreparedRead, ReadInput, ReadOptions } from '../query/reads.ts'
import type { ReadResult } from '../query/rows/entry.ts'
import type { PreparedOutput, WriteOptions } from '../write/content.ts'

export type Data = Readonly<Record<string, unknown>>

interface OperationBase extends OperationShape {
  readonly type: ContentType
  /** The permission that a caller needs: `api::article.article.find`. */
  readonly permission: string
}

export interface ReadOperation extends OperationBase {
  readonly effect: 'read'
  /** Plans the read. Throws ApiError for names and values that there are not, and for drafts that the caller may not see. */
  prepare(params: Params, caller: Permissions, options?: PrepareOptions): PreparedRead
}

export interface WriteOperation extends OperationBase {
  readonly effect: 'write'
  /** `params`: what the output shows of the entry that was written. */
  prepare(params: Params, caller: Permissions): PreparedWrite
  /** Plans the output, for writes that are asked for the same one. `shown`: the version of a document. */
  prepareOutput(params: Params, caller: Permissions, shown: 'live' | 'draft'): PreparedOutput
}

export type Operation = ReadOperation | WriteOperation

interface PrepareOptions {
  /** The page limits of a face; without them a list is whole unless the params name a page. */
  readonly limits?: PageLimits
  /** The message for callers who ask for drafts that they may not see. */
  readonly refusal?: string
}

/** The input of an operation each time that it runs. */
export interface Input extends ReadInput {
  readonly data?: Data | undefined
  /** Of an entry without documents: which locale is written, if not as the params say. */
  readonly locale?: unknown
  /** Of a single type without documents: how its entry is found, if not as the params say. */
  readonly found?: Params | undefined
}

/** In whose name an operation runs, and what the request has for it. */
export interface RunContext extends ReadOptions, Pick<WriteOptions, 'by' | 'own'> {
  /** Plans the output at its first call, which comes after the checks that come before. */
  readonly output?: ((shown: 'live' | 'draft') => PreparedOutput) | undefined
  /** Whether an entry is a draft that has to be complete, unless its data says whether it is published. */
  readonly makesDrafts?: boolean
}

interface PreparedWrite {
  /** The entry as it is now, or was before it was deleted; no entries where there was none, undefined without an output. */
  run(input: Input, context: RunContext): Promise<ReadResult | undefined>
}
