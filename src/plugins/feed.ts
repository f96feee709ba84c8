// The feed of changes for plugins and programs: committed changes in commit order.

import type { ContentType } from '../model/content-type.ts'
import type { ChangedDocument, EntryChange, Writer } from '../write/recorded-changes.ts'

export interface FeedEvent {
  /** Grows by one with each event of a database. */
  readonly number: number
  /** Followers resume after this id. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly action: EntryChange['action']
  readonly type: ContentType
  /** Undefined for `reset`. */
  readonly entry: number | undefined
  readonly locale: string | undefined
  /** Undefined for entries without documents. */
  readonly document: ChangedDocument | undefined
  readonly attributes: readonly string[]
  /** The values before the change that rules depend on; undefined for new entries, and without such rules. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  readonly by: Writer | undefined
}

export interface FeedReader {
  /** Called with events in order; the next call waits for its end. */
  take(events: readonly FeedEvent[]): void | Promise<void>
  /** Called when events were deleted before they were read: their entries must be read again. */
  lost(): void
  /** Called when the database was restored: the next event follows this number. */
  moved?(number: number): void
  /** Called when the feed ended with its app; the next app's feed continues. */
  ended(): void
}

export interface Feed {
  position(): Promise<string>
  /**
   * `after`: an event's id; undefined: from now on. Resolves, once its position is set, with a function that
   * ends it.
   */
  follow(after: string | undefined, reader: FeedReader): Promise<() => void>
  /**
   * Some of the events after `after`, up to and including `upTo`; the returned `upTo` is the last number
   * examined.
   */
  read(after: number, upTo: number): Promise<{ readonly events: readonly FeedEvent[]; readonly upTo: number }>
  /** Undefined if the events after it were deleted. */
  getNumber(id: string): Promise<number | undefined>
  getId(number: number): string
}
