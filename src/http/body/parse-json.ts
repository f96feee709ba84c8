// Parses JSON text into an object or array, or throws a BadRequestError with the position of the fault.

import { ApiError } from '../../lib/errors/api-error.ts'
import { findJsonFault } from './find-json-fault.ts'

/** Deeper values could overflow the stack of a function that serializes them. */
const MAX_DEPTH = 64

/** Throws BadRequestError on malformed, too deep or scalar JSON, and on keys that could reach a prototype. */
export function parseJson(text: string): unknown {
  checkDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('BadRequestError', `malformed JSON${locate(text, findJsonFault(text))}`)
  }
  if (typeof value !== 'object' || value === null) {
    throw new ApiError('BadRequestError', 'invalid JSON, only supports object and array')
  }
  // A key can be `__proto__` only if the text contains that word or an escape.
  if (text.includes('__proto__') || text.includes('\\u')) refuseProto(value)
  return value
}

/** Counts brackets before a recursive function reads the text. */
function checkDepth(text: string): void {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22 /* " */:
        index = endOfString(text, index)
        break
      case 0x5b /* [ */:
      case 0x7b /* { */:
        depth += 1
        if (depth > MAX_DEPTH) {
          throw new ApiError('BadRequestError', `the JSON is nested deeper than ${MAX_DEPTH} levels`)
        }
        break
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth -= 1
        break
    }
  }
}

/** An escaped quote has an odd number of backslashes before it. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c /* \ */) slashes += 1
    if (slashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

/** JSON.parse makes `__proto__` an own key; merging it could set a prototype. Recurses: the depth is checked before. */
function refuseProto(value: object): void {
  if (Object.hasOwn(value, '__proto__')) {
    throw new ApiError('BadRequestError', 'the key "__proto__" is not allowed')
  }
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) refuseProto(part)
  }
}

function locate(text: string, position: number): string {
  if (position === text.length) return ': it ends too early'
  const before = text.slice(0, position)
  const line = before.split('\n').length
  return ` at line ${line}, column ${position - before.lastIndexOf('\n')}`
}
