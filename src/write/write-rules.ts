// Applies the caller's rules to writes: `where`, `fields`, `set`, and `check` after the write. Conditions on
// stored entries are checked again within the transaction.

import { everyPermission } from '../access/principal.ts'
import { evaluateExpression } from '../expressions/evaluate-expression.ts'
import { listPaths } from '../expressions/expression.ts'
import type { Plain } from '../expressions/values.ts'
import { ApiError, createValidationErrors } from '../lib/errors/api-error.ts'
import { buildExactKey } from '../lib/exact-key.ts'
import type { WriteAction, WriteAlternative, WriteRule } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { isChange } from '../plan/write/plan-change.ts'
import { buildPathParams } from '../query/params-of-paths.ts'
import type { PrepareEntry } from '../query/rows/entry-reader.ts'
import { toObject } from '../query/rows/to-object.ts'
import type { Database, Work } from '../storage/database.ts'
import { assertNamesAllowed, listNamedBy } from './check-fields.ts'
import type { WriteOptions } from './content.ts'
import type { Storage } from './storage.ts'
import { createNotFound, lockEntry } from './writes/write-entries.ts'

type Data = Readonly<Record<string, unknown>>

interface RuleOptions {
  readonly prepareOne: PrepareEntry
  readonly storage: Storage
  readonly database: Database
}

export interface RuledWrite {
  /** Includes the values that the server sets. */
  readonly data: Data
  readonly options: WriteOptions
  /** Whether `before` and `after` query the database. */
  readonly asks: boolean
  /** Runs in the transaction. Throws NotFoundError if the caller may not write the entry (any more). */
  before(ids: readonly number[]): Work<void>
  /** Runs in the transaction. Throws ForbiddenError if no rule allows the written entry. */
  after(id: number): Work<void>
}

interface WriteRules {
  /** Throws ForbiddenError. */
  forCreate(type: ContentType, action: WriteAction, data: Data, options: WriteOptions): RuledWrite
  /**
   * `id`: the entry to write or localize. Throws NotFoundError if it is missing or forbidden, after the same
   * time.
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

/** A transaction, and its checks, may run more than once. */
interface RuleState {
  readonly type: ContentType
  readonly variables: WriteRule['variables']
  readonly known: WriteRule['variables']
  readonly fitting: readonly WriteAlternative[]
  /** Allow writing the former entry. */
  allowed: readonly WriteAlternative[]
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
    const named = listNamedBy(type, data, action, options)
    const fitting = assertNamesAllowed(type, candidates, named)
    for (const one of fitting) assertComparable(type, data, one)
    const known = { ...variables, input: data }
    const getValues = (one: WriteAlternative): Data =>
      Object.fromEntries(
        [...one.set].map(([name, value]) => [name, given(evaluateExpression(value, { variables: known }))]),
      )
    // Other matching permissions count if they set the same values.
    const [first = candidates[0]] = fitting
    const set = first === undefined ? {} : getValues(first)
    const key = buildExactKey(set)
    const settingThis = fitting.filter((one) => buildExactKey(getValues(one)) === key)
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
    if (still.length === 0) throw createNotFound()
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
      buildPathParams(
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
      const rule = options.access.writeRule(type, options.as ?? action)
      if (rule === undefined) return { data, options, asks: false, before: nothing, after: nothing }
      return chosen(type, action, rule, rule.alternatives, data, options)
    },

    async forEntry(type, action, id, data, options, isThere = true) {
      const rule = options.access.writeRule(type, options.as ?? action)
      if (rule === undefined && !isThere) throw createNotFound()
      if (rule === undefined) return { data, options, asks: false, before: nothing, after: nothing }
      const candidates: WriteAlternative[] = []
      for (const one of rule.alternatives) {
        const holds = await database.read(() => holdsForAll(type, [id], one, rule.variables))
        if (holds) candidates.push(one)
      }
      if (!isThere || candidates.length === 0) throw createNotFound()
      return chosen(type, action, rule, candidates, data, options)
    },
  }
}

/** A rule that looks at `input` cannot know the result of `{ $inc: 1 }`. Throws ValidationError. */
function assertComparable(
  type: ContentType,
  data: Data,
  { check, set }: Pick<WriteAlternative, 'check' | 'set'>,
): void {
  for (const expression of [...(check === undefined ? [] : [check]), ...set.values()])
    for (const { root, names } of listPaths(expression)) {
      const [name = ''] = names
      if (
        root.kind !== 'variable' ||
        root.name !== 'input' ||
        !isChange(type.attributes.get(name), data[name])
      )
        continue
      throw createValidationErrors([
        {
          path: [name],
          message: `${name} takes a whole value, because a rule compares it`,
          name: 'ValidationError',
        },
      ])
    }
}

function given(value: Plain): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
