// Provides the errors that users' code throws (`cms.errors`), with Strapi's names, arguments and messages.

import { ApiError, type ApiErrorName } from './api-error.ts'

type Details = Readonly<Record<string, unknown>>

type ErrorClass = new (message?: string, details?: Details) => ApiError

function errorClass(name: ApiErrorName, standing: string): ErrorClass {
  const named = {
    [name]: class extends ApiError {
      constructor(message: string = standing, details: Details = {}) {
        super(name, message, details)
      }
    },
  }
  return named[name] as ErrorClass
}

export const errorClasses = {
  ApplicationError: errorClass('ApplicationError', 'An application error occured'),
  ForbiddenError: errorClass('ForbiddenError', 'Forbidden access'),
  NotFoundError: errorClass('NotFoundError', 'Entity not found'),
  PaginationError: errorClass('PaginationError', 'Invalid pagination'),
  PayloadTooLargeError: errorClass('PayloadTooLargeError', 'Entity too large'),
  PolicyError: errorClass('PolicyError', 'Policy Failed'),
  RateLimitError: errorClass('RateLimitError', 'Too many requests, please try again later.'),
  UnauthorizedError: errorClass('UnauthorizedError', 'Unauthorized'),
  ValidationError: errorClass('ValidationError', 'Invalid data'),
} as const

export type ErrorClasses = typeof errorClasses
