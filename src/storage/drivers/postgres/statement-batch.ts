// Sends several statements in one round trip by pipelining, because `pg` sends only one at a time. Without an
// outer transaction they form one.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import type { Connection, Submittable } from 'pg'
import type { SqlRow, SqlValue } from '../../sql/statement.ts'
import { buildParser, type ParseValue } from './parse-value.ts'
import type { NamedStatement, PreparedNames } from './prepared-names.ts'

interface SentBatch {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** The published types require arguments that no longer exist. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void; pause(): void; resume(): void }
  parse(statement: { readonly name: string; readonly text: string }): void
  bind(bound: { readonly statement: string; readonly values: readonly (string | null)[] }): void
  describe(portal: { readonly type: 'P'; readonly name: string }): void
  execute(portal: { readonly portal: string; readonly rows: number }): void
  close(statement: { readonly type: 'S'; readonly name: string }): void
  sync(): void
  on(event: 'parseComplete', listener: () => void): void
  off(event: 'parseComplete', listener: () => void): void
}

interface RowDescription {
  readonly fields: readonly { readonly dataTypeID: number }[]
}

type Done = (error: Error | undefined, results: readonly (readonly SqlRow[])[]) => void

const ROWS_BETWEEN_CHECKS = 100
/** Milliseconds for which a turn of the event loop may read rows: the socket would deliver 2 MB in one. */
const MAX_READING_MS = 5

let reading: number | undefined

function isLate(): boolean {
  const now = performance.now()
  if (reading === undefined) {
    reading = now
    setImmediate(() => {
      reading = undefined
    })
  }
  return now - reading > MAX_READING_MS
}

export class StatementBatch implements Submittable {
  readonly #sent: readonly SentBatch[]
  readonly #prepared: PreparedNames | undefined
  readonly #done: Done
  readonly #named: NamedStatement[] = []
  readonly #parsing: NamedStatement[] = []
  readonly #answers: SqlRow[][] = []
  #parsers: readonly ParseValue[] = []
  #parsed = 0
  #completed = 0
  #rows = 0
  #stream: Wire['stream'] | undefined

  /** Without `prepared`, every statement is parsed at each run, and leaves no state on the connection. */
  constructor(sent: readonly SentBatch[], prepared: PreparedNames | undefined, done: Done) {
    this.#sent = sent
    this.#prepared = prepared
    this.#done = done
    for (let index = 0; index < sent.length; index++) this.#answers.push([])
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    this.#stream = wire.stream
    wire.on('parseComplete', this.#onParsed)
    wire.stream.cork()
    for (const { text, values } of this.#sent) this.#write(wire, text, values)
    wire.sync()
    wire.stream.uncork()
    this.#enter(0)
  }

  #write(wire: Wire, text: string, values: readonly (string | null)[]): void {
    const known =
      this.#prepared?.get(text) ??
      this.#parsing.find((parsing) => parsing.text === text && parsing.name !== '')
    const named = known ?? this.#prepared?.name(text) ?? { name: '', text, parsers: undefined }
    this.#named.push(named)
    if (known === undefined) {
      this.#parsing.push(named)
      wire.parse({ name: named.name, text })
    }
    wire.bind({ statement: named.name, values })
    // The columns of a prepared statement are described only once.
    if (named.parsers === undefined) wire.describe({ type: 'P', name: '' })
    wire.execute({ portal: '', rows: 0 })
    for (const name of this.#prepared?.takeForgotten() ?? []) wire.close({ type: 'S', name })
  }

  #enter(index: number): void {
    this.#parsers = this.#named[index]?.parsers ?? []
  }

  readonly #onParsed = (): void => {
    this.#parsed += 1
  }

  handleRowDescription({ fields }: RowDescription): void {
    const named = this.#named[this.#completed]
    this.#parsers = fields.map(({ dataTypeID }) => buildParser(dataTypeID))
    if (named !== undefined) named.parsers = this.#parsers
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const parsers = this.#parsers
    const row: SqlValue[] = new Array(fields.length)
    for (let index = 0; index < fields.length; index++) {
      const text = fields[index]
      row[index] = text === null || text === undefined ? null : (parsers[index]?.(text) ?? text)
    }
    this.#answers[this.#completed]?.push(row)
    this.#rows += 1
    if (this.#rows % ROWS_BETWEEN_CHECKS === 0 && isLate()) this.#giveWay()
  }

  /** Bytes that the socket has delivered are still read; the rest waits until others had their turn. */
  #giveWay(): void {
    const stream = this.#stream
    stream?.pause()
    setImmediate(() => stream?.resume())
  }

  handleCommandComplete(): void {
    const named = this.#named[this.#completed]
    if (named !== undefined) named.parsers ??= []
    this.#completed += 1
    this.#enter(this.#completed)
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete()
  }

  handlePortalSuspended(): void {}

  handleError(error: Error, connection: Connection): void {
    this.#settle(connection)
    this.#done(error, [])
  }

  handleReadyForQuery(connection: Connection): void {
    this.#settle(connection)
    this.#done(undefined, this.#answers)
  }

  /** The server keeps a parsed statement even if its execution fails. */
  #settle(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.off('parseComplete', this.#onParsed)
    for (const named of this.#parsing.slice(0, this.#parsed)) this.#prepared?.keep(named)
  }
}
