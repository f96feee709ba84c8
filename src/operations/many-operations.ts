// Operations on many entries: the operations on one, applied to each in one transaction. Either all succeed, or
// nothing changes and the error lists the faults of every entry under its index.

import type { Permissions } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { FaultList } from '../lib/errors/fault-list.ts'
import { isRecord } from '../lib/is-record.ts'
import type { ManyAction } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { createWriteTally } from '../plan/write/write-limits.ts'
import { type EntryRow, getId, type ReadResult } from '../query/rows/entry.ts'
import { createRequestBudget } from '../query/rows/request-budget.ts'
import { toObject } from '../query/rows/to-object.ts'
import type { Work } from '../storage/database.ts'
import type { Content, PreparedOutput } from '../write/content.ts'
import { findUniqueSet, type UniqueSet } from '../write/unique-sets.ts'
import type { Implementations } from './implementations.ts'
import type { Data, Input, RunContext, WriteCounts, WriteOperation, WriteOutput } from './operation.ts'

type Id = number | string
type Implemented = Pick<WriteOperation, 'prepare' | 'prepareOutput'>

interface StepResult {
  readonly outcome: keyof WriteCounts
  readonly written: ReadResult | undefined
}

/** Writes one entry; undefined if it no longer exists. */
type WriteStep = () => Promise<StepResult | undefined>

interface SelectedEntry {
  readonly id: Id
  readonly found: ReadResult
}

interface ManyContext {
  readonly params: Params
  readonly caller: Permissions
  readonly input: Input
  readonly context: RunContext
}

export function implementManyOperations(
  type: ContentType,
  content: Content,
  writeRows: number,
  { create, update, delete: deletion }: Implementations['write'],
): Readonly<Partial<Record<ManyAction, Implemented>>> {
  if (create === undefined || update === undefined || deletion === undefined) return {}

  const implement = (
    action: ManyAction,
    listSteps: (many: ManyContext) => readonly WriteStep[] | Promise<readonly WriteStep[]>,
  ): Implemented => ({
    prepareOutput: update.prepareOutput,
    prepare: (params, caller) => ({
      async run(input, given) {
        const { budget = createRequestBudget(), dryRun = false } = given
        let prepared: PreparedOutput | undefined
        const getOutput = (shown: 'live' | 'draft'): PreparedOutput =>
          (prepared ??= given.output?.(shown) ?? update.prepareOutput(params, caller, shown))
        // The entries are read together at the end.
        const output = (shown: 'live' | 'draft') => ({ ...getOutput(shown), readWork: answerId })
        const context = { ...given, as: action, budget, output, tally: createWriteTally(writeRows) }
        return inTransaction(content, dryRun, async () => {
          const { results, counts } = await runSteps(await listSteps({ params, caller, input, context }))
          const { plan } = results[0] ?? getOutput('live')
          const written = results.flatMap((result) => result.entries)
          const entries =
            prepared === undefined ? written : await prepared.readAll(written.map(getId), budget)
          return { plan, entries, page: undefined, total: undefined, changes: { counts, dryRun } }
        })
      },
    }),
  })

  const creating =
    ({ params, caller, context }: ManyContext, data: Data): WriteStep =>
    async () => ({
      outcome: 'created',
      written: await create.prepare(params, caller).run({ data }, context),
    })

  const updating =
    ({ params, caller, context }: ManyContext, id: Id, data: Data): WriteStep =>
    async () => ({
      outcome: 'updated',
      written: await update.prepare(params, caller).run({ id, data }, context),
    })

  const deleting =
    ({ params, caller, context }: ManyContext, { id, found }: SelectedEntry): WriteStep =>
    async () => {
      const written = await deletion.prepare(params, caller).run({ id }, context)
      return { outcome: 'deleted', written: written ?? found }
    }

  /** An entry that another caller stores meanwhile is updated. */
  const saving =
    (many: ManyContext, set: UniqueSet, data: Data): WriteStep =>
    async () => {
      const filters = set.buildFilters(data)
      const find = () => findIds(filters, many.params.locale ?? data['locale'])
      const [there] = await find()
      const taken = new ApiError('PreconditionFailedError', 'The entry exists already')
      if (there !== undefined && many.context.onlyNew === true) throw taken
      if (there !== undefined) return updating(many, there, data)()
      try {
        return await creating(many, data)()
      } catch (error) {
        const [made] = error instanceof ApiError && error.name === 'ValidationError' ? await find() : []
        if (made === undefined) throw error
        if (many.context.onlyNew === true) throw taken
        return updating(many, made, data)()
      }
    }

  async function findIds(filters: unknown, locale: unknown): Promise<readonly Id[]> {
    const publicationState = type.document === undefined ? 'preview' : 'draft'
    const found = await content.findAll(type, { filters, locale, publicationState, fields: ['id'] })
    return found.map(getEntryId)
  }

  /** The entries that match the filters, apart from those that the caller's rule for the action hides. */
  async function selectEntries(
    action: ManyAction,
    { params, caller, input, context }: ManyContext,
    { fields, populate }: Pick<Params, 'fields' | 'populate'> = { fields: ['id'] },
  ): Promise<readonly SelectedEntry[]> {
    const { filters } = input
    assertEveryCondition(filters)
    const selected = content.prepareFind(
      type,
      {
        filters,
        locale: params.locale,
        publicationState: type.document === undefined ? 'preview' : 'draft',
        ...(fields !== undefined && { fields }),
        ...(populate !== undefined && { populate }),
        selectedFor: action,
        pagination: { kind: 'offset', start: 0, limit: writeRows + 1 },
      },
      caller,
    )
    const first = await selected.run({}, { budget: context.budget })
    if (first.entries.length > writeRows) throw tooMany(`the filters match more than ${writeRows} entries`)
    const ids = first.entries.map(getId)
    const locked = new Set(ids)
    // Where writes run side by side, the filters are asked again once nobody else can change the entries.
    const isLocked = ids.length > 0 && (await content.lockEntries(type, ids))
    // The caller has paid for the first answer.
    const found = isLocked ? await selected.run({}, { budget: createRequestBudget() }) : first
    const { plan } = found
    const entries = isLocked ? found.entries.filter((entry) => locked.has(getId(entry))) : found.entries
    // A document is listed once for each of its locales.
    const byId = new Map(entries.map((entry) => [getEntryId(toObject(plan, entry)), entry]))
    return [...byId].map(([id, entry]) => ({ id, found: { ...found, entries: [entry] } }))
  }

  const getEntryId = (entry: { readonly id: number; readonly [name: string]: unknown }): Id =>
    type.document === undefined ? entry.id : String(entry[type.document.documentId.name])

  const getItems = ({ items = [] }: Input): readonly Data[] => {
    if (items.length > writeRows) throw tooMany(`the request has ${items.length} items`)
    return items
  }
  const tooMany = (counted: string): ApiError =>
    new ApiError(
      'ValidationError',
      `Too many entries: ${counted}, and at most ${writeRows} are written at once`,
    )

  return {
    createMany: implement('createMany', (many) => getItems(many.input).map((data) => creating(many, data))),
    updateMany: implement('updateMany', async (many) =>
      (await selectEntries('updateMany', many)).map(({ id }) =>
        skipMissing(updating(many, id, many.input.data ?? {})),
      ),
    ),
    deleteMany: implement('deleteMany', async (many) =>
      // The deletion of a document does not read it.
      (await selectEntries('deleteMany', many, type.document && many.params)).map((entry) =>
        skipMissing(deleting(many, entry)),
      ),
    ),
    upsert: implement('upsert', (many) => {
      const set = findUniqueSet(type, many.input.on)
      return [saving(many, set, many.input.data ?? {})]
    }),
    upsertMany: implement('upsertMany', (many) => {
      const set = findUniqueSet(type, many.input.on)
      return getItems(many.input).map((data) => saving(many, set, data))
    }),
  }
}

/** An entry may be deleted, or leave the caller's rule, after it was selected. */
function skipMissing(step: WriteStep): WriteStep {
  return async () => {
    try {
      return await step()
    } catch (error) {
      if (error instanceof ApiError && error.name === 'NotFoundError') return undefined
      throw error
    }
  }
}

function* answerId(id: number): Work<EntryRow> {
  yield* []
  return { row: [id], at: 0, populated: [], shown: 1, written: undefined, highlights: undefined }
}

/** Throws ApiError with the faults of all steps. */
async function runSteps(
  steps: readonly WriteStep[],
): Promise<{ readonly results: readonly ReadResult[]; readonly counts: WriteCounts }> {
  const faults = new FaultList()
  const counts: { -readonly [Outcome in keyof WriteCounts]: number } = {}
  const results: ReadResult[] = []
  for (const [index, step] of steps.entries()) {
    const result = await faults.collect([String(index)], step)
    if (result === undefined) continue
    counts[result.outcome] = (counts[result.outcome] ?? 0) + 1
    if (result.written !== undefined) results.push(result.written)
  }
  faults.throwAny()
  return { results, counts }
}

/** Carries the result out of a transaction that is undone. */
class DryRunEnd extends Error {
  readonly result: WriteOutput

  constructor(result: WriteOutput) {
    super('a dry run is undone')
    this.result = result
  }
}

async function inTransaction(
  content: Content,
  dryRun: boolean,
  task: () => Promise<WriteOutput>,
): Promise<WriteOutput> {
  try {
    return await content.inTransaction(async () => {
      const result = await task()
      if (dryRun) throw new DryRunEnd(result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRunEnd) return error.result
    throw error
  }
}

const LISTS_OF_CONDITIONS: ReadonlySet<string> = new Set(['$and', '$or', 'and', 'or'])

/** Throws ValidationError for `{ title: {} }` and `{ $or: [] }`, which match every entry. */
export function assertEveryCondition(filters: unknown, path: readonly string[] = []): void {
  const [name = ''] = path.slice(-1)
  if (
    Array.isArray(filters)
      ? filters.length === 0 && LISTS_OF_CONDITIONS.has(name)
      : isEmptyObject(filters, path)
  )
    throw new ApiError('ValidationError', `filters.${path.join('.')} has no condition: remove it, or add one`)
  if (Array.isArray(filters)) for (const one of filters) assertEveryCondition(one, path)
  else if (isRecord(filters))
    for (const [key, value] of Object.entries(filters)) assertEveryCondition(value, [...path, key])
}

function isEmptyObject(filters: unknown, path: readonly string[]): boolean {
  return path.length > 0 && isRecord(filters) && Object.keys(filters).length === 0
}
