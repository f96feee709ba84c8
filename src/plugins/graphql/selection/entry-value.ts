// The values that resolvers pass to each other. What a generated field shows is a property of its parent, so that it needs
// no resolver. Values that were read ahead for relations, components and zones are under a symbol, so that code that looks
// at entries does not see them.

import type { ApiError } from '../../../lib/errors/api-error.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { Page } from '../../../plan/read-plan.ts'

/** Values of members by response name. */
const readAhead = Symbol('read ahead')

/** An entry, by its attributes. In the envelopes of Strapi 4 it stands under `attributes` beside its own id. */
export class EntryValue {
  readonly id: number | string
  readonly [attribute: string]: unknown
  [readAhead]?: Readonly<Record<string, unknown>>

  constructor(id: number | string) {
    this.id = id
  }

  get attributes(): unknown {
    return this
  }

  /** An attribute may have this name, too: it then takes the place. */
  set attributes(value: unknown) {
    Object.defineProperty(this, 'attributes', { value, writable: true, enumerable: true, configurable: true })
  }
}

/** The value of a member that could not be read as requested. */
export class MemberFault {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}

/** The response is `<Name>EntityResponse`. */
export class OneAnswer {
  value: unknown
  readonly info: AnswerInfo | undefined

  constructor(value: unknown, info?: AnswerInfo) {
    this.value = value
    this.info = info
  }

  get data(): unknown {
    return this.value
  }
}

/** The response is `<Name>EntityResponseCollection` or `<Name>RelationResponseCollection`. */
export class ListAnswer {
  nodes: unknown
  readonly info: AnswerInfo | undefined
  readonly page: Page | undefined
  readonly total: number | undefined

  constructor(nodes: unknown, info?: AnswerInfo, page?: Page, total?: number) {
    this.nodes = nodes
    this.info = info
    this.page = page
    this.total = total
  }

  get data(): unknown {
    return this.nodes
  }
}

interface AnswerInfo {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

export function attachMembers(entry: EntryValue, members: Readonly<Record<string, unknown>>): void {
  entry[readAhead] = members
}

/** Undefined if nothing was read ahead under that name. Throws the error of a member that was wrongly requested. */
export function memberReadAhead(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined
  const member = (parent as Partial<EntryValue>)[readAhead]?.[key]
  if (member instanceof MemberFault) throw member.error
  return member
}

/** An entry that users' code answered with, as generated fields read it. */
export function completeEntry(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(completeEntry)
  if (!isRecord(entry) || entry instanceof EntryValue) return entry
  return Object.create(entry, { attributes: { value: entry } })
}

/** The same for an answer that holds entries: `{ value }` or `{ nodes }`. */
export function completeAnswer(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(completeAnswer)
  if (!isRecord(answer)) return answer
  if ('nodes' in answer) {
    const nodes = completeEntry(answer['nodes'])
    return Object.create(answer, { nodes: { value: nodes }, data: { value: nodes } })
  }
  return Object.create(answer, { data: { value: completeEntry(answer['value']) } })
}
