// Makes the steps of a migration one by one, where a transaction does not undo definitions, and writes down which are
// done, so that the next start can finish them.

import { sql } from 'kysely'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { listTables } from './check-drift.ts'
import { type Database, run, StatementFailure, UniqueViolation, type Work } from './database.ts'
import { identifyFile, type MigrationStep } from './list-steps.ts'
import {
  getTurn,
  leaveOut,
  runStep,
  type StepOptions,
  type StepPlan,
  type StepsResult,
} from './make-steps.ts'
import { makeTables } from './make-tables.ts'
import { createInterruption, type Journal, journalTable, readJournal } from './read-stored-layout.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Layout } from './sql/layout.ts'
import { ownStatements } from './sql/own-statements.ts'
import { statement } from './sql/statement.ts'

export async function makeOneByOne<T>(
  database: Database,
  options: StepOptions,
  plan: () => Work<StepPlan<T>>,
): Promise<StepsResult<T>> {
  const { result, steps } = await database.transaction(plan, { patient: true })
  if (steps.length === 0) return { result }
  await makeTables(database, [journalTable])
  await database.transaction(() => beginJournal(database.dialect, steps))
  return { result, isPartial: await finishSteps(database, options, { steps, position: 0 }, false) }
}

/** Finishes a migration that was interrupted. Returns a diagnostic if only another file can finish it. */
export async function finishMigration(
  database: Database,
  after: Layout,
  options: StepOptions,
): Promise<Diagnostic | undefined> {
  const { dialect } = database
  const journal = await database.transaction(function* () {
    const there = yield* listTables(dialect)
    return there.has(journalTable.name) ? yield* readJournal(dialect) : undefined
  })
  if (journal === undefined) return undefined
  const ahead = journal.steps.slice(journal.position)
  if (!ahead.every((step) => isOfFile(dialect, after, options, step)))
    return createInterruption(
      'it needs the file that it was begun with',
      'start the server once with that file',
    )
  await finishSteps(database, options, journal, true)
  return undefined
}

function isOfFile(dialect: Dialect, after: Layout, options: StepOptions, step: MigrationStep): boolean {
  if (step.kind === 'move') return typeof options.move === 'function' && step.file === identifyFile(after)
  if (step.kind !== 'turn') return true
  return step.file === identifyFile(after, getTurn(dialect, options, step)?.choices)
}

/**
 * Returns whether unique sets were left out, because rows refused them. `wasInterrupted`: a definition is committed before
 * the journal says so, so that the first one may be made.
 */
async function finishSteps(
  database: Database,
  options: StepOptions,
  begun: Journal,
  wasInterrupted: boolean,
): Promise<boolean> {
  const { dialect } = database
  let journal = begun
  let isPartial = false
  for (;;) {
    const former = journal
    const [step, ...ahead] = former.steps.slice(former.position)
    if (step === undefined) return isPartial
    const move = function* (next: readonly MigrationStep[]): Work<Journal> {
      const { steps, position } = former
      const moved = next === ahead ? { steps, position: position + 1 } : { steps: next, position: 0 }
      yield* moveJournal(dialect, former, moved)
      return moved
    }
    if (step.kind === 'define') {
      const isMade = await makeDefinition(database, step, wasInterrupted && former === begun)
      isPartial ||= !isMade
      const next = isMade ? ahead : leaveOut(ahead, { index: step.index ?? '' })
      journal = await database.transaction(() => move(next))
    } else {
      const done = await database.transaction(
        function* () {
          const result = yield* runStep(dialect, options, step, ahead)
          return { ...result, journal: yield* move(result.ahead) }
        },
        { patient: true },
      )
      isPartial ||= done.refused !== undefined
      journal = done.journal
    }
  }
}

/** Returns false if rows refused a unique index. */
async function makeDefinition(
  database: Database,
  { text, index }: Extract<MigrationStep, { kind: 'define' }>,
  mayBeMade: boolean,
): Promise<boolean> {
  try {
    await database.transaction(() => run(statement(text, false), []), { patient: true })
    return true
  } catch (error) {
    if (index !== undefined && error instanceof UniqueViolation) return false
    if (mayBeMade && error instanceof StatementFailure && error.kind === 'defined') return true
    throw error
  }
}

function* beginJournal(dialect: Dialect, steps: readonly MigrationStep[]): Work<void> {
  const { writing, bound } = ownStatements(dialect)
  const insert = sql`insert into ${table} (id, steps, position) values (1, ${bound('json')}, 0)`
  yield* run(writing(insert), [dialect.encode('json', JSON.stringify(steps))])
}

/** Ends the journal after the last step. `former`: as it is stored. */
function* moveJournal(dialect: Dialect, former: Journal, { steps, position }: Journal): Work<void> {
  const { writing, bound } = ownStatements(dialect)
  if (position === steps.length) {
    yield* run(writing(sql`delete from ${table} where id = 1`), [])
  } else if (steps === former.steps) {
    yield* run(writing(sql`update ${table} set position = ${bound('integer')} where id = 1`), [position])
  } else {
    const both = sql`steps = ${bound('json')}, position = ${bound('integer')}`
    const text = dialect.encode('json', JSON.stringify(steps))
    yield* run(writing(sql`update ${table} set ${both} where id = 1`), [text, position])
  }
}

const table = sql.table(journalTable.name)
