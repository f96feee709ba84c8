// An action of the API on a content-type; a `Face` makes its input and encodes its output.

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
  /** Throws ApiError for unknown names, invalid values, and drafts that the caller may not see. */
  prepare(params: Params, caller: Permissions, options?: PrepareOptions): PreparedRead
}

export interface WriteOperation extends OperationBase {
  readonly effect: 'write'
  prepare(params: Params, caller: Permissions): PreparedWrite
  /** Plans an output that several writes share. `shown`: the version of a document. */
  prepareOutput(params: Params, caller: Permissions, shown: 'live' | 'draft'): PreparedOutput
}

export type Operation = ReadOperation | WriteOperation

interface PrepareOptions {
  /** Without limits a list is complete unless the params request a page. */
  readonly limits?: PageLimits
  readonly refusal?: string
}

export interface Input extends ReadInput {
  readonly data?: Data | undefined
  /** Of an entry without documents: overrides the locale of the params. */
  readonly locale?: unknown
  /** Of a single type without documents: params that find its entry. */
  readonly found?: Params | undefined
}

export interface RunContext extends ReadOptions, Pick<WriteOptions, 'by' | 'own'> {
  /** Plans the output at its first call, after the earlier checks. */
  readonly output?: ((shown: 'live' | 'draft') => PreparedOutput) | undefined
  /** Whether an entry becomes a complete draft, unless its data sets its publication status. */
  readonly makesDrafts?: boolean
}

interface PreparedWrite {
  /** The entry after the write, or before its deletion; undefined without an output. */
  run(input: Input, context: RunContext): Promise<ReadResult | undefined>
}
