// The changes after one that a page has, from the feed of the plugin `events`.

import type { FeedEvent } from '../plugins/feed.ts'
import type { LiveApp } from './console-parts.ts'
import type { Changed, Changes } from './described.ts'

/** `after`: an event's id; null, or one that is not known any more: only what the last one is. */
export async function changesAfter({ feed }: LiveApp, after: string | null): Promise<Changes> {
  if (feed === undefined) return { recorded: false, last: undefined, changes: [] }
  const last = await feed.position()
  const [from, upTo] = [after === null ? undefined : await feed.numberOf(after), await feed.numberOf(last)]
  if (from === undefined || upTo === undefined) return { recorded: true, last, changes: [] }
  const read = await feed.read(from, upTo)
  return { recorded: true, last: feed.idOf(read.upTo), changes: read.events.map(shown) }
}

function shown({ number, at, action, type, entry, locale, document, attributes }: FeedEvent): Changed {
  const { uid } = type
  return {
    number,
    at,
    action,
    type: uid,
    entry,
    documentId: document?.id,
    locale,
    status: document?.status,
    attributes,
  }
}
