// Wraps a database so that an observer is called for each statement.

import { type Database, isSteps, type Step, type StepResult, type Steps, type Work } from './database.ts'

/**
 * Called before a step runs; the function that it returns is called after the step. Both must return at once
 * and must not throw.
 */
export type StatementObserver = (step: Step) => (() => void) | undefined

/**
 * Observes neither `begin` nor `commit`, and observes a statement twice that a server repeats after a
 * conflict.
 */
export function observeStatements(
  database: Database,
  current: () => StatementObserver | undefined,
): Database {
  const observed =
    <T>(work: () => Work<T>) =>
    (): Work<T> => {
      const observer = current()
      return observer === undefined ? work() : new ObservedWork(work(), observer)
    }
  return {
    dialect: database.dialect,
    durable: database.durable,
    read: (work, options) => database.read(observed(work), options),
    transaction: (work, options) => database.transaction(observed(work), options),
    hold: (task) => database.hold(task),
    exclusively: (task) => database.exclusively(task),
    readOneState: (task) =>
      database.readOneState((reader) =>
        task({
          dialect: reader.dialect,
          read: (work, options) => reader.read(observed(work), options),
        }),
      ),
    server: database.server,
    copies: database.copies,
    get outsideChanges() {
      return database.outsideChanges
    },
    close: () => database.close(),
  }
}

/** A class and not a wrapping generator, because resuming a generator costs more than the work done here. */
class ObservedWork<T> implements Work<T> {
  readonly #work: Work<T>
  readonly #observer: StatementObserver
  #end: (() => void) | undefined

  constructor(work: Work<T>, observer: StatementObserver) {
    this.#work = work
    this.#observer = observer
  }

  next(...result: [] | [StepResult]): IteratorResult<Step | Steps, T> {
    this.#answered()
    return this.#asked(this.#work.next(...result))
  }

  throw(failure: unknown): IteratorResult<Step | Steps, T> {
    this.#answered()
    return this.#asked(this.#work.throw(failure))
  }

  return(value: T): IteratorResult<Step | Steps, T> {
    this.#answered()
    return this.#asked(this.#work.return(value))
  }

  [Symbol.iterator](): this {
    return this
  }

  [Symbol.dispose](): void {
    this.#work.return(undefined as T)
  }

  #answered(): void {
    const end = this.#end
    this.#end = undefined
    end?.()
  }

  #asked(next: IteratorResult<Step | Steps, T>): IteratorResult<Step | Steps, T> {
    if (next.done === true) return next
    const { value } = next
    this.#end = isSteps(value) ? endOfAll(value.map(this.#observer)) : this.#observer(value)
    return next
  }
}

function endOfAll(ends: readonly ((() => void) | undefined)[]): (() => void) | undefined {
  const wanted = ends.filter((end) => end !== undefined)
  if (wanted.length === 0) return undefined
  return () => {
    for (const end of wanted) end()
  }
}
