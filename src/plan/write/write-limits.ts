// Limits one write while it is planned: a payload of a megabyte could name hundreds of thousands of
// components, each with faults.

import { type ApiError, createValidationErrors, MAX_ERRORS } from '../../lib/errors/api-error.ts'
import { planLimits } from '../planning.ts'

export interface WriteLimits {
  readonly rows: number
  readonly listLength: number
  readonly passwords: number
  /** Faults that are reported; further ones are only counted. */
  readonly faults: number
}

export function getWriteLimits(rows: number): WriteLimits {
  const { listLength, passwords } = planLimits
  return { rows, listLength, passwords, faults: MAX_ERRORS }
}

/** For several writes that are limited together. */
export function createWriteTally(rows: number): WriteTally {
  return new WriteTally(getWriteLimits(rows))
}

export const unlimitedWrites: WriteLimits = {
  rows: Number.POSITIVE_INFINITY,
  listLength: Number.POSITIVE_INFINITY,
  passwords: Number.POSITIVE_INFINITY,
  faults: Number.POSITIVE_INFINITY,
}

export class WriteTally {
  readonly #limits: WriteLimits
  #rows = 0
  #passwords = 0

  constructor(limits: WriteLimits) {
    this.#limits = limits
  }

  /** Throws ValidationError for too long a list, or too many rows of the write. */
  addRows(count: number, path: readonly string[], label: string): void {
    const { rows, listLength } = this.#limits
    if (count > listLength) throw tooMany(`elements in ${label}`, listLength, 'a list', path)
    this.#rows += count
    if (this.#rows > rows)
      throw tooMany(`components and related entries, counted to ${label}`, rows, 'one write', path)
  }

  addPassword(path: readonly string[], label: string): void {
    const { passwords } = this.#limits
    this.#passwords += 1
    if (this.#passwords > passwords)
      throw tooMany(`passwords, counted to ${label}`, passwords, 'one write', path)
  }
}

function tooMany(what: string, limit: number, where: string, path: readonly string[]): ApiError {
  const message = `Too many ${what}: at most ${limit} are allowed in ${where}`
  return createValidationErrors([{ path, message, name: 'ValidationError' }])
}
