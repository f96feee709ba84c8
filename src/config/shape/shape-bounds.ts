// Describes values that are too small, too large, too short or too long.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { ShapeFault } from './shape-fault.ts'

export interface Words {
  readonly code: string
  readonly message: string
  readonly help?: string | undefined
  /** The path to point at, when it is not the fault's own path. */
  readonly path?: DiagnosticPath
  readonly at?: 'key'
}

export function describeOutOfBounds(
  { keyword, params, found, path }: ShapeFault,
  subject: string,
  shown: string,
): Words {
  const limit = String(params['limit'])
  const code = 'CFG015'
  const count = Array.isArray(found) ? found.length : Object.keys(Object(found)).length
  switch (keyword) {
    case 'minimum':
      return { code, message: `${subject} must be at least ${limit}, found ${shown}` }
    case 'maximum':
      return { code, message: `${subject} must be at most ${limit}, found ${shown}` }
    case 'minLength':
      return { code, message: `${subject} must not be empty` }
    case 'maxLength':
      return { code, message: `${subject} must have at most ${limit} characters` }
    case 'minItems':
      return { code, message: `${subject} must have at least ${limit} item${limit === '1' ? '' : 's'}` }
    case 'maxProperties':
      return { code, message: `${subject} has ${count} keys; at most ${limit} are allowed`, at: 'key' }
    default:
      return { code, message: `${subject} does not fit the schema (${keyword})`, path }
  }
}

/** `"port"`, or `"methods[1]"` for an item of a list. */
export function getSubject(path: DiagnosticPath): string {
  const last = path.at(-1)
  if (last === undefined) return 'the file'
  if (typeof last === 'string') return `"${last}"`
  const names = path.filter((step) => typeof step === 'string')
  return `"${names.at(-1) ?? ''}[${last}]"`
}
