// The feed of changes as plugins and programs follow it: every committed change, in the order of the commits.

import type { ContentType } from '../model/content-type.ts'
import type { ChangedDocument, EntryChange, Writer } from '../write/recorded-changes.ts'

export interface FeedEvent {
  /** Grows by one with each event of a database. */
  readonly number: number
  /** The id after which a follower goes on. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly action: EntryChange['action']
  readonly type: ContentType
  /** The entry's id; undefined for `reset`. */
  readonly entry: number | undefined
  readonly locale: string | undefined
  /** Which version of which document the entry is; undefined where entries are no documents. */
  readonly document: ChangedDocument | undefined
  /** The attributes that were written, private ones included. */
  readonly attributes: readonly string[]
  /** The values that rules name of the entry, as it was before; undefined for new entries, and where no rule names anything. */
  readonly before: Readonly<Record<string, unknown>> | undefined
  readonly by: Writer | undefined
}

export interface FeedReader {
  /** Called with events in order; the next ones come when it is done. */
  take(events: readonly FeedEvent[]): void | Promise<void>
  /** Events were deleted before they were read: what they were about has to be read again. */
  lost(): void
  /** The database was put back to another moment: the next event is the one after this number. */
  moved?(number: number): void
  /** The feed has ended with its app; another one goes on after the last event that was taken. */
  ended(): void
}

export interface Feed {
  /** The id of the last event. */
  position(): Promise<string>
  /** `after`: an event's id; undefined: from now on. Resolves with what ends it, once its place is known. */
  follow(after: string | undefined, reader: FeedReader): Promise<() => void>
  /** Some of the events after one number, up to and with another; `upTo`: how far it looked. */
  read(after: number, upTo: number): Promise<{ readonly events: readonly FeedEvent[]; readonly upTo: number }>
  /** The number of an event by its id; undefined if the events after it are not known any more. */
  getNumber(id: string): Promise<number | undefined>
  /** The id of the event with this number. */
  getId(number: number): string
}
