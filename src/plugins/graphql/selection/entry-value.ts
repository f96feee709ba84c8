// The values that resolvers pass to each other: an entry is a plain object of its attributes. Values that were read
// ahead for its relations, components and zones are under a symbol, so that code that looks at entries does not see
// them.

import type { ApiError } from '../../../errors/api-error.ts'
import type { Page } from '../../../plan/read-plan.ts'

/** Values of members by response name. */
const readAhead = Symbol('read ahead')

export interface EntryValue {
  readonly id: number
  readonly [attribute: string]: unknown
  readonly [readAhead]?: Readonly<Record<string, unknown>>
}

/** The value of a member that could not be read as requested. */
export class MemberFault {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}

/** The response is `<Name>EntityResponse`. */
export interface OneAnswer {
  value: unknown
  readonly info?: AnswerInfo
}

/** The response is `<Name>EntityResponseCollection` or `<Name>RelationResponseCollection`. */
export interface ListAnswer {
  nodes: unknown
  readonly info?: AnswerInfo
  readonly page?: Page | undefined
  readonly total?: number | undefined
}

export interface AnswerInfo {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

/** The members are stored under a symbol, which JSON and loops over keys skip. */
export function attachMembers(entry: object, members: Readonly<Record<string, unknown>>): void {
  ;(entry as { [readAhead]?: unknown })[readAhead] = members
}

/** Undefined if nothing was read ahead under that name. Throws the error of a member that was wrongly requested. */
export function memberReadAhead(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined
  const member = (parent as Partial<EntryValue>)[readAhead]?.[key]
  if (member instanceof MemberFault) throw member.error
  return member
}
