// A database that counts the statements of each request.

import {
  type Answer,
  type Database,
  isSteps,
  type Step,
  type Steps,
  type Work,
} from '../databases/database.ts'

export interface StatementCount {
  statements: number
}

/**
 * Passes everything on. `current` returns where to count, or undefined outside of a request. Counted is what the work asks
 * for: not `begin` and `commit`, and twice what a server runs again after a conflict.
 */
export function countStatements(database: Database, current: () => StatementCount | undefined): Database {
  const counted =
    <T>(work: () => Work<T>) =>
    (): Work<T> => {
      const count = current()
      return count === undefined ? work() : countingWork(work(), count)
    }
  const { exclusively, readOneState, ping, snapshot, restore } = database
  return {
    dialect: database.dialect,
    durable: database.durable,
    read: (work, once, mayLag) => database.read(counted(work), once, mayLag),
    transaction: (work, patient) => database.transaction(counted(work), patient),
    hold: (task) => database.hold(task),
    close: () => database.close(),
    get outsideChanges() {
      return database.outsideChanges
    },
    // These may be missing, which says what a database can do.
    ...(exclusively && { exclusively: exclusively.bind(database) }),
    ...(readOneState && { readOneState: readOneState.bind(database) }),
    ...(ping && { ping: ping.bind(database) }),
    ...(snapshot && { snapshot: snapshot.bind(database) }),
    ...(restore && { restore: restore.bind(database) }),
  }
}

function* countingWork<T>(work: Work<T>, count: StatementCount): Work<T> {
  let next = work.next()
  while (next.done !== true) {
    count.statements += isSteps(next.value) ? next.value.length : 1
    next = yield* answered(work, next.value)
  }
  return next.value
}

/** Passes one question of the work on, and its answer or failure back. */
function* answered<T>(
  work: Work<T>,
  asked: Step | Steps,
): Generator<Step | Steps, IteratorResult<Step | Steps, T>, Answer> {
  let answer: Answer
  try {
    answer = yield asked
  } catch (failure) {
    return work.throw(failure)
  }
  return work.next(answer)
}
