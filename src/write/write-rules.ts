// The caller's rules for writes: which entries it may change (`where`), which attributes it may name (`fields`), values
// that the server sets (`set`), and what must hold of the entry afterwards (`check`). Everything that looks at stored
// entries is asked again within the transaction of the write.

import { everyPermission } from '../access/principal.ts'
import { evaluateExpression } from '../expressions/evaluate-expression.ts'
import { listPaths } from '../expressions/expression.ts'
import type { Plain } from '../expressions/values.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { exactKey } from '../lib/exact-key.ts'
import type { WriteAction, WriteAlternative, WriteRule } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { paramsOfPaths } from '../query/params-of-paths.ts'
import type { PrepareEntry } from '../query/rows/entry-reader.ts'
import { toObject } from '../query/rows/to-object.ts'
import type { Database, Work } from '../storage/database.ts'
import { assertNamesAllowed, namedBy } from './check-fields.ts'
import type { WriteOptions } from './content.ts'
import type { Storage } from './storage.ts'
import { lockEntry, notFound } from './writes/write-entries.ts'

type Data = Readonly<Record<string, unknown>>

interface RuleOptions {
  readonly prepareOne: PrepareEntry
  readonly storage: Storage
  readonly database: Database
}

/** A write that the caller's rules have looked at. */
export interface RuledWrite {
  /** The data with the values that the server sets. */
  readonly data: Data
  readonly options: WriteOptions
  /** Whether `before` and `after` ask the database. */
  readonly asks: boolean
  /** Before the write, in its transaction. Throws NotFoundError if the entry is not, or no longer, the caller's to write. */
  before(ids: readonly number[]): Work<void>
  /** After the write, in its transaction. Throws ForbiddenError if no rule allows the entry as it is now. */
  after(id: number): Work<void>
}

interface WriteRules {
  /** Throws ForbiddenError if the data names what no rule allows. */
  forCreate(type: ContentType, action: WriteAction, data: Data, options: WriteOptions): RuledWrite
  /**
   * `id`: the entry that is written, or localized. Throws NotFoundError if it is not the caller's to write, or not
   * there, which takes as long.
   */
  forEntry(
    type: ContentType,
    action: WriteAction,
    id: number,
    data: Data,
    options: WriteOptions,
    isThere?: boolean,
  ): Promise<RuledWrite>
}

/** The state of the rules of one write; a transaction may run, and ask, more than once. */
interface RuleState {
  readonly type: ContentType
  readonly variables: WriteRule['variables']
  /** The variables, and the data as `input`. */
  readonly known: WriteRule['variables']
  /** The alternatives that allow what the payload names. */
  readonly fitting: readonly WriteAlternative[]
  /** Those of them that allow the write of the entry as it was. */
  allowed: readonly WriteAlternative[]
  /** The values that the checks name of the entry as it was. */
  stored: Data | null
}

function* nothing(): Work<void> {}

export function createWriteRules({ storage, database, prepareOne }: RuleOptions): WriteRules {
  function chosen(
    type: ContentType,
    action: WriteAction,
    { variables }: WriteRule,
    candidates: readonly WriteAlternative[],
    data: Data,
    options: WriteOptions,
  ): RuledWrite {
    const named = namedBy(type, data, action, options)
    const fitting = assertNamesAllowed(type, candidates, named)
    const known = { ...variables, input: data }
    const getValues = (one: WriteAlternative): Data =>
      Object.fromEntries(
        [...one.set].map(([name, value]) => [name, given(evaluateExpression(value, { variables: known }))]),
      )
    // The first permission that fits says what is set; others count if they set the same.
    const [first = candidates[0]] = fitting
    const set = first === undefined ? {} : getValues(first)
    const key = exactKey(set)
    const settingThis = fitting.filter((one) => exactKey(getValues(one)) === key)
    const asked: RuleState = {
      type,
      variables,
      known,
      fitting: settingThis,
      allowed: settingThis,
      stored: null,
    }
    return {
      data: { ...data, ...set },
      options: { ...options, own: new Set([...(options.own ?? []), ...Object.keys(set)]) },
      asks: true,
      before: (ids) => assertMayWrite(asked, ids),
      after: (id) => assertMeetsChecks(asked, id),
    }
  }

  function* assertMayWrite(asked: RuleState, ids: readonly number[]): Work<void> {
    const { type, variables } = asked
    const [id] = ids
    if (id === undefined) return
    yield* lockEntry(storage, type, id)
    const still: WriteAlternative[] = []
    for (const one of asked.fitting) if (yield* holdsForAll(type, ids, one, variables)) still.push(one)
    if (still.length === 0) throw notFound()
    asked.allowed = still
    asked.stored = yield* readBefore(type, id, still)
  }

  function* assertMeetsChecks({ type, known, allowed, stored }: RuleState, id: number): Work<void> {
    const now = { ...known, before: stored }
    for (const { check } of allowed) {
      if (check === undefined) return
      if ((yield* storage.idsUnder(type, [id], [check], now)).has(id)) return
    }
    throw refused(allowed)
  }

  function* holdsForAll(
    type: ContentType,
    ids: readonly number[],
    { where }: WriteAlternative,
    variables: WriteRule['variables'],
  ): Work<boolean> {
    if (where === undefined) return true
    return (yield* storage.idsUnder(type, ids, [where], variables)).size === new Set(ids).size
  }

  /** Reads the values that the checks name of the entry as it was. */
  function* readBefore(
    type: ContentType,
    id: number,
    alternatives: readonly WriteAlternative[],
  ): Work<Data | null> {
    const paths = alternatives
      .flatMap(({ check }) => (check === undefined ? [] : listPaths(check)))
      .filter(({ root }) => root.kind === 'variable' && root.name === 'before')
    if (paths.length === 0) return null
    const { query, readWork } = prepareOne(
      type,
      paramsOfPaths(
        type,
        paths.map(({ names }) => names),
      ),
      everyPermission,
      false,
      false,
    )
    const entry = yield* readWork(id)
    return entry === undefined ? null : toObject(query.plan, entry)
  }

  function refused(alternatives: readonly WriteAlternative[]): ApiError {
    const failed = alternatives.filter(({ check }) => check !== undefined)
    const rules = failed.map(({ place, texts }) => ({ check: texts.check, rule: place }))
    const message = `the entry would not meet ${rules.map(({ check, rule }) => `"${check}" of ${rule}`).join(', nor ')}`
    return new ApiError('ForbiddenError', 'Forbidden').because({ rules, message })
  }

  return {
    forCreate(type, action, data, options) {
      const rule = options.access.writeRule(type, action)
      if (rule === undefined) return { data, options, asks: false, before: nothing, after: nothing }
      return chosen(type, action, rule, rule.alternatives, data, options)
    },

    async forEntry(type, action, id, data, options, isThere = true) {
      const rule = options.access.writeRule(type, action)
      if (rule === undefined && !isThere) throw notFound()
      if (rule === undefined) return { data, options, asks: false, before: nothing, after: nothing }
      const candidates: WriteAlternative[] = []
      for (const one of rule.alternatives) {
        const holds = await database.read(() => holdsForAll(type, [id], one, rule.variables))
        if (holds) candidates.push(one)
      }
      if (!isThere || candidates.length === 0) throw notFound()
      return chosen(type, action, rule, candidates, data, options)
    },
  }
}

/** A value in the form of a payload. */
function given(value: Plain): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
