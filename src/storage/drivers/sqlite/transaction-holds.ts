// Holds transactions of an embedded engine, which block its only connection.

import { HeldTransactions, type OpenTransaction } from '../../held-transactions.ts'

interface HoldSteps extends OpenTransaction {
  /** Undefined if a transaction may begin now. */
  ready(): Promise<void> | undefined
  begin(): void
}

export class TransactionHolds {
  readonly #steps: HoldSteps
  readonly #held: HeldTransactions<HoldSteps>
  #released: Promise<void> | undefined

  constructor(steps: HoldSteps, longest?: number) {
    this.#steps = steps
    this.#held = new HeldTransactions(longest)
  }

  get held(): boolean {
    return this.#released !== undefined
  }

  /** Undefined if no transaction is held, or the caller belongs to it. */
  get waitFor(): Promise<void> | undefined {
    return this.own ? undefined : this.#released
  }

  get own(): boolean {
    return this.#released !== undefined && this.#held.own !== undefined
  }

  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.own) return this.#held.run(() => Promise.resolve(this.#steps), task)
    return this.#begin(task)
  }

  async #begin<T>(task: () => Promise<T>): Promise<T> {
    const notYet = (): Promise<void> | undefined => this.#released ?? this.#steps.ready()
    for (let wait = notYet(); wait !== undefined; wait = notYet()) await wait
    this.#steps.begin()
    return this.#occupy(() => this.#held.finish(this.#steps, task))
  }

  /** Not users' code, so it has no time limit. */
  complete<T>(task: () => Promise<T>): Promise<T> {
    return this.#occupy(async () => {
      try {
        const result = await task()
        await this.#steps.commit()
        return result
      } catch (error) {
        await this.#steps.rollback()
        throw error
      }
    })
  }

  async #occupy<T>(transaction: () => Promise<T>): Promise<T> {
    let release = (): void => {}
    this.#released = new Promise((resolve) => {
      release = resolve
    })
    try {
      return await transaction()
    } finally {
      this.#released = undefined
      release()
    }
  }
}
