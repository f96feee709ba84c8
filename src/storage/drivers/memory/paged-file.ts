// Holds a memory database's file in pages in place of sql.js's array, so that a snapshot costs only the
// changed pages.

import type { Snapshot } from '../../database.ts'

const PAGE_BYTES = 4096
/** Offsets in the first page (SQLite's file format, section 1.3). */
const CHANGE_COUNTER = 24
const VERSION_VALID_FOR = 92

export class PagedFile {
  /** sql.js takes it for the array's length, and so never replaces the array to make room. */
  readonly length = 2 ** 31
  #bytes: Uint8Array
  #known: readonly Uint8Array[]
  /** Pages written since the last copy. */
  readonly #written = new Set<number>()
  #end: number
  #lost = false
  #schema: symbol

  constructor({ pages, schema }: Snapshot) {
    this.#schema = schema
    this.#end = pages.length * PAGE_BYTES
    this.#bytes = new Uint8Array(Math.max(2 * this.#end, 64 * PAGE_BYTES))
    for (const [index, page] of pages.entries()) this.#bytes.set(page, index * PAGE_BYTES)
    this.#known = pages
  }

  /** SQLite has made the file shorter: sql.js then takes another array. */
  get lost(): boolean {
    return this.#lost
  }

  /** The only operation by which sql.js writes to the array. */
  set(source: Uint8Array, at = 0): void {
    const end = at + source.length
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#bytes.length))
      grown.set(this.#bytes.subarray(0, this.#end))
      this.#bytes = grown
    }
    this.#bytes.set(source, at)
    this.#end = Math.max(this.#end, end)
    for (let page = Math.floor(at / PAGE_BYTES); page * PAGE_BYTES < end; page++) this.#written.add(page)
  }

  /** The only operation by which sql.js reads: a page, or the whole file before it takes another array. */
  subarray(from: number, to: number): Uint8Array {
    if (to - from > PAGE_BYTES) this.#lost = true
    return this.#bytes.subarray(from, to)
  }

  /** A new file of sql.js takes its array by `slice`. */
  asContent(): Uint8Array {
    const content = { length: this.#end, subarray: () => this, slice: () => this }
    return content as unknown as Uint8Array
  }

  copy(): Snapshot {
    const pages = this.#known.slice()
    for (const page of this.#written)
      pages[page] = this.#bytes.slice(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
    this.#known = pages
    this.#written.clear()
    return { pages, schema: this.#schema }
  }

  redefined(): void {
    this.#schema = Symbol()
  }

  /**
   * Whether `putBack` can be used: tables and indexes are unchanged. SQLite's own counter does not tell:
   * after a snapshot was put back, it counts to the same number again.
   */
  takes({ schema }: Snapshot): boolean {
    return !this.#lost && schema === this.#schema
  }

  /** SQLite must hold no lock on the file; its cache ends at the next one. */
  putBack({ pages }: Snapshot): void {
    const counter = wordAt(this.#bytes, CHANGE_COUNTER) + 1
    for (const [index, page] of pages.entries()) {
      if (page !== this.#known[index] || this.#written.has(index)) this.#bytes.set(page, index * PAGE_BYTES)
    }
    this.#written.clear()
    this.#known = pages
    // SQLite compares the counter with its cache's. The page count beside it is valid only while both are
    // equal.
    const view = new DataView(this.#bytes.buffer)
    view.setUint32(CHANGE_COUNTER, counter)
    view.setUint32(VERSION_VALID_FOR, counter)
  }
}

function wordAt(bytes: Uint8Array, offset: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(offset)
}

export function getPages(bytes: Uint8Array): Snapshot {
  return {
    pages: Array.from({ length: bytes.length / PAGE_BYTES }, (_, page) =>
      bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES),
    ),
    schema: Symbol(),
  }
}

/** A database without tables, as SQLite would write it (file format, sections 1.3 and 1.6). */
export function createEmptyDatabase(): Snapshot {
  const page = new Uint8Array(PAGE_BYTES)
  const view = new DataView(page.buffer)
  page.set(new TextEncoder().encode('SQLite format 3\0'))
  view.setUint16(16, PAGE_BYTES)
  // Versions of the format for writing and reading, no reserved bytes, and three fractions that never differ.
  page.set([1, 1, 0, 64, 32, 32], 18)
  view.setUint32(CHANGE_COUNTER, 1)
  view.setUint32(28, 1)
  view.setUint32(44, 4)
  // UTF-8.
  view.setUint32(56, 1)
  view.setUint32(VERSION_VALID_FOR, 1)
  // An empty leaf of a table, whose cells would begin at the end of the page.
  view.setUint8(100, 13)
  view.setUint16(105, PAGE_BYTES)
  return { pages: [page], schema: Symbol() }
}
