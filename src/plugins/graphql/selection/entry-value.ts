// What resolvers hand to each other: an entry is a plain object of its attributes; what was read ahead
// for its relations, components and zones stands beside them, out of the way of code that looks at entries.

import type { ApiError } from '../../../errors/api-error.ts'
import type { Page } from '../../../plan/read-plan.ts'

/** Values of members by what they are answered as. */
const readAhead = Symbol('read ahead')

export interface EntryValue {
  readonly id: number
  readonly [attribute: string]: unknown
  readonly [readAhead]?: Readonly<Record<string, unknown>>
}

/** Stands where a member could not be read as it was asked for. */
export class MemberFault {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}

/** Answered as `<Name>EntityResponse`. */
export interface OneAnswer {
  value: unknown
  readonly info?: AnswerInfo
}

/** Answered as `<Name>EntityResponseCollection` and `<Name>RelationResponseCollection`. */
export interface ListAnswer {
  nodes: unknown
  readonly info?: AnswerInfo
  readonly page?: Page
  readonly total?: number | undefined
}

export interface AnswerInfo {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

/** JSON and loops over keys pass over it: its name is a symbol. */
export function attachMembers(entry: object, members: Readonly<Record<string, unknown>>): void {
  ;(entry as { [readAhead]?: unknown })[readAhead] = members
}

/** Undefined: nothing was read ahead under that name. Throws what is wrong with how it was asked for. */
export function memberReadAhead(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined
  const member = (parent as Partial<EntryValue>)[readAhead]?.[key]
  if (member instanceof MemberFault) throw member.error
  return member
}
