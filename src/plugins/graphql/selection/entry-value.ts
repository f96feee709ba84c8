// Defines the values that resolvers pass to each other; generated fields are properties and need no resolver.
// Populated fields are under a symbol, hidden from code that looks at entries.

import type { ApiError } from '../../../lib/errors/api-error.ts'
import { isRecord } from '../../../lib/is-record.ts'
import type { WriteCounts } from '../../../operations/operation.ts'
import type { Page } from '../../../plan/read-plan.ts'

const readAhead = Symbol('read ahead')

/** In Strapi 4's envelope, it is under `attributes` beside its id. */
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

  /** An attribute named `attributes` replaces this property. */
  set attributes(value: unknown) {
    Object.defineProperty(this, 'attributes', { value, writable: true, enumerable: true, configurable: true })
  }
}

export class FieldFault {
  readonly error: ApiError

  constructor(error: ApiError) {
    this.error = error
  }
}

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

export class WriteResponse extends ListResponse {
  readonly created: number
  readonly updated: number
  readonly deleted: number

  constructor(nodes: unknown, { created = 0, updated = 0, deleted = 0 }: WriteCounts = {}) {
    super(nodes)
    this.created = created
    this.updated = updated
    this.deleted = deleted
  }
}

interface ResponseArguments {
  readonly args: Readonly<Record<string, unknown>>
  readonly resourceUID: string
}

export function attachPopulated(entry: EntryValue, populated: Readonly<Record<string, unknown>>): void {
  entry[readAhead] = populated
}

/** Throws the error of a populated field that was wrongly requested. */
export function getReadAhead(parent: unknown, key: string): unknown {
  if (typeof parent !== 'object' || parent === null) return undefined
  const field = (parent as Partial<EntryValue>)[readAhead]?.[key]
  if (field instanceof FieldFault) throw field.error
  return field
}

/** Completes an entry from users' code for generated fields. */
export function completeEntry(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(completeEntry)
  if (!isRecord(entry) || entry instanceof EntryValue) return entry
  return Object.create(entry, { attributes: { value: entry } })
}

/** Completes the entries in a response: `{ value }` or `{ nodes }`. */
export function completeResponse(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(completeResponse)
  if (!isRecord(result)) return result
  if ('nodes' in result) {
    const nodes = completeEntry(result['nodes'])
    return Object.create(result, { nodes: { value: nodes }, data: { value: nodes } })
  }
  return Object.create(result, { data: { value: completeEntry(result['value']) } })
}
