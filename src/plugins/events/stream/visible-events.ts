// The events as one caller may see them: each with the entry that a read would show now, or as a `delete` when the
// entry has left the caller's sight. One read for all events of a content-type.

import { listPaths } from '../../../expressions/expression.ts'
import type { Access } from '../../../model/access.ts'
import { hasVersions } from '../../../model/content-rules.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import { getId } from '../../../query/rows/entry.ts'
import { createRequestBudget, type RequestBudget } from '../../../query/rows/request-budget.ts'
import type { FeedEvent } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import { seesAll, wasVisible } from './was-visible.ts'

/** The request of a receiver. */
export interface Selection {
  readonly types: ReadonlySet<ContentType>
  /** Filters, fields and members of the entries of a content-type that it is told. */
  getParams(type: ContentType): Params
  /** Whether it is told the entries themselves, and not only which they are. */
  readonly withEntries: boolean
}

export interface VisibleEvent {
  readonly event: FeedEvent
  /** `delete`: the entry is gone, or out of sight. */
  readonly action: FeedEvent['action']
  /** The entry in the form of an answer, as JSON; undefined when it is gone, or not wanted. */
  readonly entry: string | undefined
  /** The attributes that were written, as far as the caller may read them. */
  readonly changed: readonly string[]
  /** The version that the receiver asks for; undefined for types without versions. */
  readonly status: 'draft' | 'published' | undefined
}

/** The visible part of some events, and the units that reading their entries has cost. */
export interface VisibleEvents {
  readonly told: readonly VisibleEvent[]
  readonly cost: number
  /** Units that the most expensive read was allowed. */
  readonly allowed: number
}

export type SelectVisible = (
  events: readonly FeedEvent[],
  access: Access,
  wanted: Selection,
) => Promise<VisibleEvents>

export function createSelectVisible({
  content,
  encodeEntry,
}: Pick<PluginContext, 'content' | 'encodeEntry'>): SelectVisible {
  /** By id; entries that are not there for the caller, or do not match its filters, are left out. */
  async function readEntries(
    type: ContentType,
    params: Params,
    access: Access,
    budget: RequestBudget,
  ): Promise<ReadonlyMap<number, string>> {
    const { plan, entries } = await content.prepareFind(type, params, access).run({}, { budget })
    const encode = encodeEntry(plan)
    return new Map(entries.map((entry) => [getId(entry), encode(entry)]))
  }

  /**
   * The version that the receiver asks for of each document, by documentId: published rows get a new id at every
   * publishing.
   */
  async function readVersions(
    type: ContentType,
    params: Params,
    access: Access,
    budget: RequestBudget,
  ): Promise<ReadonlyMap<string, string>> {
    const { plan, entries } = await content.prepareFind(type, params, access).run({}, { budget })
    const encode = encodeEntry(plan)
    // The documentId is the first column of every document.
    return new Map(entries.map((entry) => [String(entry.row[entry.at + 1]), encode(entry)]))
  }

  /** The entries of the events as a read shows them, by event, and their cost. */
  async function shownNow(
    events: readonly FeedEvent[],
    access: Access,
    { getParams, withEntries }: Selection,
  ): Promise<{
    readonly shown: ReadonlyMap<FeedEvent, string>
    readonly cost: number
    readonly allowed: number
  }> {
    const groups = new Map<string, FeedEvent[]>()
    for (const event of events) {
      if (event.entry === undefined) continue
      const { type, locale } = event
      // Nothing needs to be read of it: whether it is there changes nothing.
      if (!withEntries && !hasVersions(type) && isShownEvery(type, access, getParams(type))) continue
      const key = type.uid + (type.document?.versions === true ? ` ${locale ?? ''}` : '')
      groups.set(key, [...(groups.get(key) ?? []), event])
    }
    const shown = new Map<FeedEvent, string>()
    const spent = { cost: 0, allowed: 0 }
    for (const group of groups.values()) {
      const [first] = group
      if (first === undefined) continue
      const { type, locale } = first
      const params = getParams(type)
      const budget = createRequestBudget()
      if (hasVersions(type)) {
        const ids = new Set(group.flatMap(({ document }) => document?.id ?? []))
        const found = await readVersions(type, withDocuments(params, locale, ids), access, budget)
        for (const event of group) {
          const text = found.get(event.document?.id ?? '')
          if (text !== undefined) shown.set(event, text)
        }
      } else {
        const ids = new Set(group.flatMap(({ entry }) => entry ?? []))
        const found = await readEntries(type, withIds(params, ids), access, budget)
        for (const event of group) {
          const text = found.get(event.entry ?? 0)
          if (text !== undefined) shown.set(event, text)
        }
      }
      const { cost, allowed } = budget.spent()
      spent.cost += cost
      spent.allowed = Math.max(spent.allowed, allowed)
    }
    return { shown, ...spent }
  }

  return async (events, access, wanted) => {
    const own = events.filter(
      (event) => wanted.types.has(event.type) && concerns(event, wanted.getParams(event.type)),
    )
    const { shown, ...spent } = await shownNow(own, access, wanted)
    const told = own.flatMap((event): readonly VisibleEvent[] => {
      const entry = shown.get(event)
      const params = wanted.getParams(event.type)
      const action = actionFor(event, entry !== undefined, access, params)
      if (action === undefined) return []
      const changed = changedFor(event, access)
      const version = asksForLive(event.type, params) ? 'published' : 'draft'
      const status = hasVersions(event.type) ? version : undefined
      return [{ event, action, entry: action === 'delete' ? undefined : entry, changed, status }]
    })
    return { told, ...spent }
  }
}

/**
 * Whether the event is about what the receiver asks for. Who asks for published versions learns nothing of drafts; who
 * asks for drafts is told when they are published, too.
 */
function concerns({ type, action, document, locale }: FeedEvent, params: Params): boolean {
  if (!hasVersions(type) || action === 'reset') return true
  if (params.locale !== undefined && params.locale !== 'all' && params.locale !== locale) return false
  if (asksForLive(type, params)) return document?.status === 'published'
  return document?.status === 'draft' || action === 'publish' || action === 'unpublish'
}

/** Whether drafts are left out although the caller may see them. */
function asksForLive(type: ContentType, { publicationState }: Params): boolean {
  return hasVersions(type) ? publicationState !== 'draft' : publicationState !== 'preview'
}

function withDocuments(params: Params, locale: string | undefined, ids: ReadonlySet<string>): Params {
  const named = { documentId: { $in: [...ids] } }
  return {
    ...params,
    locale: locale ?? 'all',
    filters: params.filters === undefined ? named : { $and: [named, params.filters] },
    pagination: { kind: 'offset', start: 0, limit: ids.size },
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
  const { action, type, document } = event
  const live = asksForLive(type, params)
  // Published again since, by a later event that is told, too.
  if (there && live && document !== undefined && action === 'unpublish') return undefined
  if (there || action === 'reset') return action
  // The draft itself is as it was.
  if (!live && document?.status === 'published') return undefined
  // Deleted since, by a later event that is told, too.
  if (action !== 'delete' && isShownEvery(type, access, params)) return action
  if (action === 'create' || !wasVisible(event, access, live)) return undefined
  if (action === 'delete' || action === 'unpublish') return 'delete'
  return mayHaveLeft(event, access, params) ? 'delete' : undefined
}

/** Whether the caller is shown every entry of the type. */
function isShownEvery(type: ContentType, access: Access, params: Params): boolean {
  const filtered = params.filters !== undefined || (params.locale !== undefined && !hasVersions(type))
  return !filtered && seesAll(type, access, asksForLive(type, params))
}

/** Whether one of the written attributes is among those that decide whether the caller is shown the entry. */
function mayHaveLeft({ type, attributes }: FeedEvent, access: Access, { filters, locale }: Params): boolean {
  const rules = access.findRule(type, 'find')?.anyOf ?? []
  // At any place of a path: an entry may be related to itself.
  const named = new Set(rules.flatMap(listPaths).flatMap(({ names }) => names))
  const text = filters === undefined ? '' : JSON.stringify(filters)
  return (
    (locale !== undefined && !hasVersions(type)) ||
    attributes.some((name) => named.has(name) || text.includes(JSON.stringify(name)))
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
