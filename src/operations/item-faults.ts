// Collects the faults of the items of one request, each under its index.

import { ApiError, createValidationErrors, type ErrorItem, MAX_ERRORS } from '../lib/errors/api-error.ts'

export class ItemFaults {
  readonly #items: ErrorItem[] = []
  #more = 0
  /** The first refusal that is no fault of the data, such as a missing right: it gives the response its status. */
  #refusal: ApiError | undefined

  /** Returns undefined if the item is refused. Errors of the server are thrown. */
  async collect<T>(index: number, write: () => Promise<T>): Promise<T | undefined> {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      this.#add(index, error)
      return undefined
    }
  }

  check<T>(index: number, parse: () => T): T | undefined {
    try {
      return parse()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      this.#add(index, error)
      return undefined
    }
  }

  throwAny(): void {
    const refusal = this.#refusal
    if (refusal !== undefined) {
      const { errors } = createValidationErrors(this.#items, this.#more).details
      throw refusal.withDetails({ ...refusal.details, errors })
    }
    if (this.#items.length > 0) throw createValidationErrors(this.#items, this.#more)
  }

  #add(index: number, error: ApiError): void {
    const { name, message, details } = error
    if (name !== 'ValidationError') this.#refusal ??= error
    const errors = details['errors']
    const items = Array.isArray(errors) ? (errors as readonly ErrorItem[]) : [{ path: [], message, name }]
    for (const item of items) {
      if (this.#items.length < MAX_ERRORS) this.#items.push({ ...item, path: [String(index), ...item.path] })
      else this.#more += 1
    }
  }
}
