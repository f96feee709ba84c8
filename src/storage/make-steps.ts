// Runs the steps of a migration in one transaction; `make-one-by-one.ts` where a transaction does not undo definitions.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { InvariantError, unreachable } from '../lib/errors/invariant.ts'
import type { ApiVersionMove, PlannedMove } from './check-api-version.ts'
import { countChange, createCountContext, forEachValue } from './count-change.ts'
import { type Database, run, type Work } from './database.ts'
import type { MigrationStep } from './list-steps.ts'
import type { ReportOptions } from './migration-report.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Together } from './sql/layout.ts'
import { buildConverter } from './sql/migrations/convert-value.ts'
import { createMigrationStatements } from './sql/migrations/migration-statements.ts'
import { PlannedTables } from './sql/migrations/planned-tables.ts'
import {
  formatLayout,
  parseLayout,
  type StoredLayout,
  type StoredTable,
} from './sql/migrations/stored-layout.ts'
import { statement } from './sql/statement.ts'

/** The parts of a migration that need functions built from a configuration. */
export interface StepOptions extends ReportOptions {
  readonly move?: ((dialect: Dialect) => ApiVersionMove) | string
  /**
   * Handles entries whose content-type got or lost drafts. `former`: their tables still have the other API
   * version's layout.
   */
  readonly drafts?: (
    dialect: Dialect,
    before: StoredLayout | undefined,
    former: boolean,
  ) => DraftsTurn | undefined
}

export interface DraftsTurn {
  /** The choices of the file for entries without drafts, as text. */
  readonly choices: string
  /** Reads what `make` does, and says it to the tables unless a diagnostic is an error. */
  plan(tables: PlannedTables): Work<PlannedMove>
  /** Called after the columns and before the indexes are created. */
  make(): Work<void>
}

interface StepResult {
  readonly ahead: readonly MigrationStep[]
  /** Why rows refuse an index or a unique set, which the steps ahead then leave out. */
  readonly refused?: Diagnostic | undefined
}

type Step<K extends MigrationStep['kind']> = Extract<MigrationStep, { kind: K }>

export function* runStep(
  dialect: Dialect,
  options: StepOptions,
  step: MigrationStep,
  ahead: readonly MigrationStep[],
): Work<StepResult> {
  switch (step.kind) {
    case 'define':
      yield* run(statement(step.text, false), [])
      return { ahead }
    case 'write':
      yield* run(statement(step.text, false), step.values)
      return { ahead }
    case 'convert':
      yield* convert(dialect, step)
      return { ahead }
    case 'check': {
      const context = createCountContext(dialect, new PlannedTables(dialect, undefined, {}), options)
      const { change } = step
      const { diagnostic: refused } = yield* countChange(context, change)
      if (refused === undefined) return { ahead }
      const set =
        change.kind === 'create-index'
          ? { index: change.index.name }
          : { table: change.table.name, together: change.together }
      return { ahead: leaveOut(ahead, set), refused }
    }
    case 'turn':
      yield* getTurn(dialect, options, step)?.make() ?? []
      return { ahead }
    case 'move':
      return { ahead: yield* move(dialect, options, step, ahead) }
    case 'layout':
      yield* run(createMigrationStatements(dialect).writeLayout(), [step.text])
      return { ahead }
    default:
      return unreachable(step)
  }
}

function* convert(dialect: Dialect, { table, from, to }: Step<'convert'>): Work<void> {
  const statements = createMigrationStatements(dialect)
  const converter = buildConverter(from.type, to.type)
  const set = statements.setValue(table, to)
  yield* forEachValue(statements.valuesBehind(table, from), function* (id, value) {
    const converted = converter?.(value)
    if (converted === undefined) throw new InvariantError(`a value of ${table} cannot be converted`)
    yield* run(set, [dialect.encode(to.type, converted), id])
  })
}

export function getTurn(
  dialect: Dialect,
  { drafts }: StepOptions,
  { before, former }: Step<'turn'>,
): DraftsTurn | undefined {
  return drafts?.(dialect, parseLayout(before), former)
}

function* move(
  dialect: Dialect,
  { move }: StepOptions,
  step: Step<'move'>,
  ahead: readonly MigrationStep[],
): Work<readonly MigrationStep[]> {
  if (typeof move !== 'function') throw new InvariantError('the configuration moves no content')
  const { before, after } = move(dialect)
  if (step.part === 'after') {
    yield* after(step.groups)
    return ahead
  }
  const groups = yield* before()
  return ahead.map((one) => (one.kind === 'move' && one.part === 'after' ? { ...one, groups } : one))
}

/** A unique set; an index has a name that no other has. */
type RefusedSet = { readonly index: string } | { readonly table: string; readonly together: Together }

/** The next plan finds it missing, and refuses it by the rows. */
export function leaveOut(ahead: readonly MigrationStep[], set: RefusedSet): readonly MigrationStep[] {
  return ahead.flatMap((step) => {
    if (step.kind === 'layout') return { ...step, text: formatWithout(step.text, set) }
    return step.kind === 'define' && 'index' in set && step.index === set.index ? [] : step
  })
}

function formatWithout(text: string, set: RefusedSet): string {
  const layout = parseLayout(text)
  if (layout === undefined) throw new InvariantError('the layout of a migration cannot be read')
  const tables = Array.from(layout.tables.values(), (table): StoredTable => {
    if ('index' in set) return { ...table, indexes: table.indexes.filter(({ name }) => name !== set.index) }
    if (table.name !== set.table || table.together === undefined) return table
    const left = JSON.stringify(set.together)
    return { ...table, together: table.together.filter((one) => JSON.stringify(one) !== left) }
  })
  return formatLayout({ tables: new Map(tables.map((table) => [table.name, table])) })
}

export interface StepPlan<T> {
  readonly result: T
  readonly steps: readonly MigrationStep[]
}

export interface StepsResult<T> {
  readonly result: T
  /** Why rows refused a unique set; then nothing is made. */
  readonly refused?: Diagnostic
  /** Whether all is made but unique sets that rows refused. */
  readonly isPartial?: boolean
}

class UndoneMigration<T> extends Error {
  readonly result: T
  readonly refused: Diagnostic

  constructor(result: T, refused: Diagnostic) {
    super('the migration is undone')
    this.result = result
    this.refused = refused
  }
}

export async function makeTogether<T>(
  database: Database,
  options: StepOptions,
  plan: () => Work<StepPlan<T>>,
): Promise<StepsResult<T>> {
  const { dialect } = database
  try {
    return await database.transaction(
      function* () {
        const { result, steps } = yield* plan()
        for (let ahead = steps; ahead[0] !== undefined; ) {
          const done = yield* runStep(dialect, options, ahead[0], ahead.slice(1))
          if (done.refused !== undefined) throw new UndoneMigration(result, done.refused)
          ahead = done.ahead
        }
        return { result }
      },
      { patient: true },
    )
  } catch (error) {
    if (error instanceof UndoneMigration) return { result: error.result, refused: error.refused }
    throw error
  }
}
