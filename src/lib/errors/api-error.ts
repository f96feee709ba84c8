// Declares errors of clients, with Strapi's names and statuses.

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
  PreconditionFailedError: 412,
  PayloadTooLargeError: 413,
  UriTooLongError: 414,
  UnsupportedMediaTypeError: 415,
  RangeNotSatisfiableError: 416,
  UnprocessableContentError: 422,
  PreconditionRequiredError: 428,
  RateLimitError: 429,
  InternalServerError: 500,
  NotImplementedError: 501,
  ServiceUnavailableError: 503,
} as const

export type ApiErrorName = keyof typeof statusOfErrorName

export function getErrorStatus(name: ApiErrorName): number {
  return statusOfErrorName[name]
}

/** `path` holds attribute names and indexes as strings. */
export interface ErrorItem {
  readonly path: readonly string[]
  readonly message: string
  readonly name: string
  /** Some API versions repeat the sent value. */
  readonly value?: unknown
}

/** Lets some responses leave `details` out. */
export const NO_DETAILS: Readonly<Record<string, unknown>> = Object.freeze({})

/** For the developer of a client. */
export interface Explanation {
  readonly message: string
  readonly [key: string]: unknown
}

export class ApiError extends Error {
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>
  /** Response headers of the error, in lower case: `allow`, `retry-after`. */
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

  /** Keeps the name, the message, the headers and the explanation. */
  withDetails(details: Readonly<Record<string, unknown>>): ApiError {
    const error = new ApiError(this.name as ApiErrorName, this.message, details, this.headers)
    return this.#explain === undefined ? error : error.because(this.#explain)
  }

  /**
   * May contain names that are secret to this caller: it leaves the server only through `shownDetails`, where
   * a function is called.
   */
  because(explain: Explanation | (() => Explanation)): this {
    this.#explain = explain
    return this
  }

  /** Includes the explanation in development (`explains`). */
  shownDetails(explains: boolean): Readonly<Record<string, unknown>> {
    const explain = this.#explain
    if (!explains || explain === undefined) return this.details
    return { ...this.details, explain: typeof explain === 'function' ? explain() : explain }
  }
}

/** A response counts further errors. */
export const MAX_ERRORS = 20

/** `more`: the number of faults that are not in `items`. */
export function createValidationErrors(items: readonly ErrorItem[], more = 0): ApiError {
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

/** As in Strapi, unknown and forbidden names look alike. */
export function createInvalidParameter(name: string): ApiError {
  return new ApiError('ValidationError', `Invalid parameter ${name}`)
}
