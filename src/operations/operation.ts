// An action of the API on a content-type; a `Face` makes its input and encodes its output.

import type { Permissions } from '../access/principal.ts'
import type { OperationShape } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { AggregateInput } from '../plan/aggregate-plan.ts'
import type { FilterInput, Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import type { PreparedAggregate, PreparedRead, ReadInput, ReadOptions } from '../query/reads.ts'
import type { ReadResult } from '../query/rows/entry.ts'
import type { PreparedOutput, WriteOptions } from '../write/content.ts'

export type Data = Readonly<Record<string, unknown>>

interface OperationBase extends OperationShape {
  readonly type: ContentType
  /** The permission that a caller needs: `api::article.article.find`. */
  readonly permission: string
  /** Whether the permissions of some role or custom API token name it. */
  readonly isGranted: boolean
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

/** Groups of entries and their number, minimum, sum and the like. */
export interface SummaryOperation extends OperationBase {
  readonly effect: 'summarize'
  /** Throws ApiError as `prepare` of a read does. */
  prepare(
    params: Params,
    aggregate: AggregateInput,
    caller: Permissions,
    options?: Pick<PrepareOptions, 'refusal'>,
  ): PreparedAggregate
}

export type Operation = ReadOperation | WriteOperation | SummaryOperation

interface PrepareOptions {
  /** Without limits a list is complete unless the params request a page. */
  readonly limits?: PageLimits
  readonly refusal?: string
}

/** The members of a payload that an operation `takes`. */
export interface Payload {
  readonly data?: Data | undefined
  readonly items?: readonly Data[] | undefined
  readonly filters?: FilterInput
  /** The unique attributes that find the entry of an upsert. */
  readonly on?: unknown
}

export interface Input extends ReadInput, Payload {
  /** Of an entry without documents: overrides the locale of the params. */
  readonly locale?: unknown
  /** Of a single type without documents: params that find its entry. */
  readonly found?: Params | undefined
}

export interface RunContext
  extends ReadOptions,
    Pick<WriteOptions, 'by' | 'own' | 'as' | 'tally' | 'ifVersion'> {
  /** For many entries: the result as if they were written; users' hooks do not run. */
  readonly dryRun?: boolean | undefined
  /** Whether an upsert may only create its entry, else PreconditionFailedError. */
  readonly onlyNew?: boolean | undefined
  /** Plans the output at its first call, after the earlier checks. */
  readonly output?: ((shown: 'live' | 'draft') => PreparedOutput) | undefined
  /** Whether an entry becomes a complete draft, unless its data sets its publication status. */
  readonly makesDrafts?: boolean
}

export interface WriteCounts {
  readonly created?: number
  readonly updated?: number
  readonly deleted?: number
}

export interface WriteOutput extends ReadResult {
  /** For many entries. */
  readonly changes?: { readonly counts: WriteCounts; readonly dryRun: boolean }
}

interface PreparedWrite {
  /** The entries after the write, or before their deletion; undefined without an output. */
  run(input: Input, context: RunContext): Promise<WriteOutput | undefined>
}
