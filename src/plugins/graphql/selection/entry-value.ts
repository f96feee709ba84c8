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
export class FieldFault {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}

/** The response is `<Name>EntityResponse`. */
export class EntryResponse {
  value: unknown
  readonly info: ResponseArguments | undefined

  constructor(value: unknown, info?: ResponseArguments) {
    this.value = value
    this.info = info
  }

  get data(): unknown {
    return this.value
  }
}

/** The response is `<Name>EntityResponseCollection` or `<Name>RelationResponseCollection`. */
export class ListResponse {
  nodes: unknown
  readonly info: ResponseArguments | undefined
  readonly page: Page | undefined
  readonly total: number | undefined

  constructor(nodes: unknown, info?: ResponseArguments, page?: Page, total?: number) {
    this.nodes = nodes
    this.info = info
    this.page = page
    this.total = total
  }

  get data(): unknown {
    return this.nodes
  }
}

interface ResponseArguments {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

export function attachPopulated(entry: EntryValue, populated: Readonly<Record<string, unknown>>): void {
  entry[readAhead] = populated
}

/** Undefined if nothing was read ahead under that name. Throws the error of a member that was wrongly requested. */
export function getReadAhead(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined
  const field = (parent as Partial<EntryValue>)[readAhead]?.[key]
  if (field instanceof FieldFault) throw field.error
  return field
}

/** An entry that users' code answered with, as generated fields read it. */
export function completeEntry(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(completeEntry)
  if (!isRecord(entry) || entry instanceof EntryValue) return entry
  return Object.create(entry, { attributes: { value: entry } })
}

/** The same for an answer that holds entries: `{ value }` or `{ nodes }`. */
export function completeResponse(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(completeResponse)
  if (!isRecord(result)) return result
  if ('nodes' in result) {
    const nodes = completeEntry(result['nodes'])
    return Object.create(result, { nodes: { value: nodes }, data: { value: nodes } })
  }
  return Object.create(result, { data: { value: completeEntry(result['value']) } })
}
