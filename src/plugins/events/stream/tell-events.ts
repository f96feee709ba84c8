// What one caller is told of events: of each entry what a read would show now, and of entries that have left its sight
// that they are gone. One read for all events of a content-type.

import { idOf } from '../../../content/rows/entry.ts'
import { pathsOf } from '../../../expressions/expression.ts'
import type { Access } from '../../../model/access.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import type { FeedEvent } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import { seesAll, wasVisible } from './was-visible.ts'

/** What a receiver asks for. */
export interface Wanted {
  readonly types: ReadonlySet<ContentType>
  /** Filters, fields and members of the entries that it is told. */
  readonly params: Params
}

export interface Told {
  readonly event: FeedEvent
  /** `delete`: the entry is gone, or out of sight. */
  readonly action: FeedEvent['action']
  /** The entry in the form of an answer, as JSON; undefined when it is gone. */
  readonly entry: string | undefined
  /** The attributes that were written, as far as the caller may read them. */
  readonly changed: readonly string[]
}

export type TellEvents = (
  events: readonly FeedEvent[],
  access: Access,
  wanted: Wanted,
) => Promise<readonly Told[]>

export function createTellEvents({
  content,
  encodeEntry,
}: Pick<PluginContext, 'content' | 'encodeEntry'>): TellEvents {
  /** By id; entries that are not there for the caller, or do not match its filters, are left out. */
  async function readEntries(
    type: ContentType,
    ids: ReadonlySet<number>,
    access: Access,
    params: Params,
  ): Promise<ReadonlyMap<number, string>> {
    const prepared = content.prepareFind(type, withIds(params, ids), access)
    const { plan, entries } = await prepared.read()
    const encode = encodeEntry(plan)
    return new Map(entries.map((entry) => [idOf(entry), encode(entry)]))
  }

  return async (events, access, { types, params }) => {
    const own = events.filter(({ type }) => types.has(type))
    const found = new Map<ContentType, ReadonlyMap<number, string>>()
    for (const type of new Set(own.map((event) => event.type))) {
      const ids = own.flatMap((event) =>
        event.type === type && event.entry !== undefined ? event.entry : [],
      )
      if (ids.length > 0) found.set(type, await readEntries(type, new Set(ids), access, params))
    }
    return own.flatMap((event) => {
      const { type, entry: id } = event
      const entry = id === undefined ? undefined : found.get(type)?.get(id)
      const action = actionFor(event, entry !== undefined, access, params)
      if (action === undefined) return []
      return [
        { event, action, entry: action === 'delete' ? undefined : entry, changed: changedFor(event, access) },
      ]
    })
  }
}

function withIds(params: Params, ids: ReadonlySet<number>): Params {
  const { filters } = params
  const named = { id: { $in: [...ids] } }
  return {
    locale: 'all',
    ...params,
    filters: filters === undefined ? named : { $and: [named, filters] },
    pagination: { kind: 'offset', start: 0, limit: ids.size },
  }
}

/** Undefined: the caller is told nothing. `there`: whether it is shown the entry now. */
function actionFor(
  event: FeedEvent,
  there: boolean,
  access: Access,
  params: Params,
): FeedEvent['action'] | undefined {
  const { action, type } = event
  if (there || action === 'reset') return action
  const live = params.publicationState !== 'preview'
  const filtered = params.filters !== undefined || params.locale !== undefined
  // Deleted since, by a later event that is told, too.
  if (action !== 'delete' && !filtered && seesAll(type, access, live)) return action
  if (action === 'create' || !wasVisible(event, access, live)) return undefined
  if (action === 'delete' || action === 'unpublish') return 'delete'
  return mayHaveLeft(event, access, params) ? 'delete' : undefined
}

/** Whether one of the written attributes is among those that decide whether the caller is shown the entry. */
function mayHaveLeft({ type, attributes }: FeedEvent, access: Access, { filters, locale }: Params): boolean {
  const rules = access.whereOf(type, 'find')?.anyOf ?? []
  // At any place of a path: an entry may be related to itself.
  const named = new Set(rules.flatMap(pathsOf).flatMap(({ names }) => names))
  const text = filters === undefined ? '' : JSON.stringify(filters)
  return (
    locale !== undefined || attributes.some((name) => named.has(name) || text.includes(JSON.stringify(name)))
  )
}

function changedFor({ type, attributes }: FeedEvent, access: Access): readonly string[] {
  const readable = access.readable(type, 'find')
  return attributes.filter((name) => {
    const attribute = type.attributes.get(name)
    return (
      attribute !== undefined &&
      !attribute.private &&
      attribute.type !== 'password' &&
      readable?.has(name) !== false
    )
  })
}
