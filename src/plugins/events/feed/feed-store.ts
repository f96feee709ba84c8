// Records events in the transaction of the change, reads them in order, and trims them by age.

import { randomUUID } from 'node:crypto'
import { invariant } from '../../../lib/errors/invariant.ts'
import type { Model } from '../../../model/model.ts'
import {
  type Database,
  run,
  runAll,
  StatementFailure,
  type Step,
  type Work,
} from '../../../storage/database.ts'
import type { SqlRow } from '../../../storage/sql/statement.ts'
import type { ChangedDocument, EntryChange } from '../../../write/recorded-changes.ts'
import type { FeedEvent } from '../../feed.ts'
import { createFeedStatements } from './event-tables.ts'

const BATCH_EVENTS = 200

/** For a database in memory, whatever their age: about 30 MB. */
const MAX_EVENTS_IN_MEMORY = 50_000
/** Events between two trims. */
const TRIM_AFTER_EVENTS = 1_000

/** Characters of an entry's stored image; rules that need more cannot be evaluated about the past. */
const MAX_IMAGE_LENGTH = 65_536

interface FeedState {
  readonly epoch: string
  readonly last: number
  readonly trimmed: number
}

export interface FeedStore {
  /** Numbers begin at one in a new database. */
  open(): Promise<void>
  record(changes: readonly EntryChange[]): Work<void>
  state(): Promise<FeedState>
  /** At most 200 events, of existing content-types. `upTo` is the last number that was read. */
  list(epoch: string, after: number, upTo: number): Promise<ListedEvents>
  trim(before: number): Promise<void>
}

interface ListedEvents {
  readonly events: readonly FeedEvent[]
  readonly upTo: number
}

export function createFeedStore(database: Database, model: Model, now: () => number): FeedStore {
  const { dialect } = database
  const statements = createFeedStatements(dialect)
  const big = (value: number) => dialect.encode('biginteger', value)
  // Strapi 4's events lack documents, so followers lose their position when the API version changes.
  const suffix = model.apiVersion.documents ? 'd' : ''
  let notify: Step | undefined
  let recordedSinceTrim = 0

  function* deleteUpTo(number: number): Work<void> {
    yield* run(statements.trim, [big(number)])
    yield* run(statements.trimmed, [big(number)])
  }

  function* trimMemory(recorded: number): Work<void> {
    recordedSinceTrim += recorded
    if (recordedSinceTrim < TRIM_AFTER_EVENTS) return
    recordedSinceTrim = 0
    const [row] = yield* run(statements.state, [])
    const beyond = Number(row?.[1]) - MAX_EVENTS_IN_MEMORY
    if (beyond > Number(row?.[2])) yield* deleteUpTo(beyond)
  }

  return {
    async open() {
      await database.transaction(() => run(statements.begin, [randomUUID().slice(0, 8)]))
      const { notify: statement } = statements
      if (statement === undefined) return
      try {
        await database.transaction(() => run(statement, []))
        notify = { statement, values: [] }
      } catch (error) {
        // Some servers with PostgreSQL's protocol lack notifications: their processes poll instead.
        if (!(error instanceof StatementFailure)) throw error
      }
    },

    *record(changes) {
      const at = big(now())
      const { length } = changes
      // The first statement locks the feed until the commit, so that numbers are in commit order.
      yield* runAll([
        { statement: statements.advance, values: [big(length)] },
        ...changes.map((change, index) => ({
          statement: statements.insert,
          values: [
            big(length - 1 - index),
            at,
            change.type.uid,
            change.id === undefined ? null : big(change.id),
            change.action,
            factsText(change),
          ],
        })),
        ...(notify === undefined ? [] : [notify]),
      ])
      if (!database.durable) yield* trimMemory(length)
    },

    async state() {
      const [row] = await database.read(() => run(statements.state, []), { single: true })
      invariant(row !== undefined, 'the feed has been begun')
      return { epoch: `${String(row[0])}${suffix}`, last: Number(row[1]), trimmed: Number(row[2]) }
    },

    async list(epoch, after, upTo) {
      const rows = await database.read(() => run(statements.list, [after, upTo, BATCH_EVENTS].map(big)), {
        single: true,
      })
      const events = rows.flatMap((row) => buildEvent(model, epoch, row))
      return { events, upTo: rows.length < BATCH_EVENTS ? upTo : Number(rows.at(-1)?.[0]) }
    },

    async trim(before) {
      await database.transaction(function* () {
        const [row] = yield* run(statements.oldest, [big(before)])
        if (row?.[0] === null || row?.[0] === undefined) return
        yield* deleteUpTo(Number(row[0]))
      })
    },
  }
}

interface Facts {
  readonly locale?: string
  readonly document?: ChangedDocument
  readonly attributes: readonly string[]
  readonly before?: Readonly<Record<string, unknown>>
  readonly by?: NonNullable<FeedEvent['by']>
}

function factsText({ before, locale, document, attributes, by }: EntryChange): string {
  const image = before === undefined ? undefined : JSON.stringify(before, plainNumbers)
  const former = before?.['locale']
  const facts = {
    locale: locale ?? (typeof former === 'string' ? former : undefined),
    document,
    attributes,
    by: by === undefined ? undefined : { kind: by.kind, name: by.name, id: by.id },
  }
  if (image === undefined || image.length > MAX_IMAGE_LENGTH) return JSON.stringify(facts)
  return `${JSON.stringify(facts).slice(0, -1)},"before":${image}}`
}

function plainNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Undefined for a content-type that was removed, and for events of another API version. */
function buildEvent(
  { contentTypes }: Model,
  epoch: string,
  [id, at, uid, entry, action, text]: SqlRow,
): readonly FeedEvent[] {
  const type = contentTypes.get(String(uid))
  if (type === undefined) return []
  const { locale, document, attributes, before, by } = JSON.parse(String(text)) as Facts
  if (action !== 'reset' && (document === undefined) !== (type.document === undefined)) return []
  return [
    {
      number: Number(id),
      id: `${epoch}.${Number(id)}`,
      at: Number(at),
      action: action as FeedEvent['action'],
      type,
      entry: entry === null || entry === undefined ? undefined : Number(entry),
      locale,
      document,
      attributes,
      before,
      by,
    },
  ]
}
