// Errors of clients, with Strapi's names and their statuses. Parsers, the planner and guards throw them; the APIs turn
// them into answers.

const statusOfErrorName = {
  ValidationError: 400,
  PaginationError: 400,
  ApplicationError: 400,
  BadRequestError: 400,
  UnauthorizedError: 401,
  ForbiddenError: 403,
  PolicyError: 403,
  NotFoundError: 404,
  MethodNotAllowedError: 405,
  ConflictError: 409,
  PayloadTooLargeError: 413,
  UriTooLongError: 414,
  UnsupportedMediaTypeError: 415,
  RangeNotSatisfiableError: 416,
  RateLimitError: 429,
  InternalServerError: 500,
  NotImplementedError: 501,
  ServiceUnavailableError: 503,
} as const

export type ApiErrorName = keyof typeof statusOfErrorName

/** One fault of a payload: `path` holds attribute names and indexes as strings. */
export interface ErrorItem {
  readonly path: readonly string[]
  readonly message: string
  readonly name: string
  /** The sent value, where the dialect repeats it. */
  readonly value?: unknown
}

/** Marks an error without details, so that some answers can leave `details` out. */
export const NO_DETAILS: Readonly<Record<string, unknown>> = Object.freeze({})

/** Why a request was refused, in words for the developer of a client, and what to write instead. */
export interface Explanation {
  readonly message: string
  readonly [key: string]: unknown
}

export class ApiError extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  /** Reply headers that belong to the error, in lower case: `allow`, `retry-after`. */
  readonly headers: Readonly<Record<string, string>> | undefined
  #explain: Explanation | (() => Explanation) | undefined

  constructor(
    name: ApiErrorName,
    message: string,
    details: Readonly<Record<string, unknown>> = NO_DETAILS,
    headers?: Readonly<Record<string, string>>,
  ) {
    super(message)
    this.name = name
    this.status = statusOfErrorName[name]
    this.details = details
    this.headers = headers
  }

  /**
   * Adds an explanation, which may name what this caller must not know. It leaves the server only through
   * `shownDetails`; a function is called when it is shown.
   */
  because(explain: Explanation | (() => Explanation)): this {
    this.#explain = explain
    return this
  }

  /** The details of an answer. In development (`explains`) they hold the explanation, if there is one. */
  shownDetails(explains: boolean): Readonly<Record<string, unknown>> {
    const explain = this.#explain
    if (!explains || explain === undefined) return this.details
    return { ...this.details, explain: typeof explain === 'function' ? explain() : explain }
  }
}

/** An answer lists this many errors and counts the rest. */
export const MAX_ERRORS = 20

/**
 * A ValidationError for all faults of a payload; the message counts them as Strapi does. `more`: the number of faults
 * that are not in `items`.
 */
export function validationErrors(items: readonly ErrorItem[], more = 0): ApiError {
  const [first] = items
  const count = items.length + more
  const message = count === 1 && first ? first.message : `${count} errors occurred`
  const shown = items.slice(0, MAX_ERRORS)
  const rest = count - shown.length
  if (rest > 0) {
    const text = `and ${rest} more ${rest === 1 ? 'error' : 'errors'}`
    shown.push({ path: [], message: text, name: 'ValidationError' })
  }
  return new ApiError('ValidationError', message, { errors: shown })
}

/** Strapi's answer to a name that may not be used in filters, sort or fields: unknown and forbidden look alike. */
export function invalidParameter(name: string): ApiError {
  return new ApiError('ValidationError', `Invalid parameter ${name}`)
}
