// Collects the faults of several writes of one request, each under its path.

import { ApiError, createValidationErrors, type ErrorItem, MAX_ERRORS } from './api-error.ts'

export class FaultList {
  readonly #items: ErrorItem[] = []
  #more = 0
  /** The first refusal that is no fault of the data, such as a missing right: it gives the response its status. */
  #refusal: ApiError | undefined

  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  /** Returns undefined if the write is refused. Errors of the server are thrown. */
  async collect<T>(path: readonly string[], write: () => Promise<T>): Promise<T | undefined> {
    try {
      return await write()
    } catch (error) {
      this.add(path, error)
      return undefined
    }
  }

  check<T>(path: readonly string[], parse: () => T): T | undefined {
    try {
      return parse()
    } catch (error) {
      this.add(path, error)
      return undefined
    }
  }

  throwAny(): void {
    if (this.isEmpty) return
    const faults = createValidationErrors(this.#items, this.#more)
    const refusal = this.#refusal
    throw refusal === undefined ? faults : refusal.withDetails({ ...refusal.details, ...faults.details })
  }

  /** Throws errors of the server. */
  add(path: readonly string[], error: unknown): void {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const { name, message, details } = error
    if (name !== 'ValidationError') this.#refusal ??= error
    const errors = details['errors']
    const items = Array.isArray(errors) ? (errors as readonly ErrorItem[]) : [{ path: [], message, name }]
    for (const item of items) {
      if (this.#items.length < MAX_ERRORS) this.#items.push({ ...item, path: [...path, ...item.path] })
      else this.#more += 1
    }
  }
}
