// Events as one caller may see them: with the current entry, or as a `delete` when the entry became
// invisible.

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

export interface Selection {
  readonly types: ReadonlySet<ContentType>
  /** Filters, fields and populated fields of the sent entries. */
  getParams(type: ContentType): Params
  readonly withEntries: boolean
}

export interface VisibleEvent {
  readonly event: FeedEvent
  /** `delete`: the entry is deleted or invisible. */
  readonly action: FeedEvent['action']
  /** As JSON; undefined when it is deleted, or not requested. */
  readonly entry: string | undefined
  readonly changed: readonly string[]
  readonly status: 'draft' | 'published' | undefined
}

export interface VisibleEvents {
  readonly told: readonly VisibleEvent[]
  readonly cost: number
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
  /** Omits invisible entries. */
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

  /** By documentId, since each publishing changes the row's id. */
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
      // Without entries and hiding rules, the visibility needs no read.
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

/** Subscribers of published versions get no events of drafts; subscribers of drafts get publications, too. */
function concerns({ type, action, document, locale }: FeedEvent, params: Params): boolean {
  if (!hasVersions(type) || action === 'reset') return true
  if (params.locale !== undefined && params.locale !== 'all' && params.locale !== locale) return false
  if (asksForLive(type, params)) return document?.status === 'published'
  return document?.status === 'draft' || action === 'publish' || action === 'unpublish'
}

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

/** Undefined: the event is not sent. `there`: whether the caller sees the entry now. */
function actionFor(
  event: FeedEvent,
  there: boolean,
  access: Access,
  params: Params,
): FeedEvent['action'] | undefined {
  const { action, type, document } = event
  const live = asksForLive(type, params)
  // Published again since: a later event follows.
  if (there && live && document !== undefined && action === 'unpublish') return undefined
  if (there || action === 'reset') return action
  // Publishing leaves the draft unchanged.
  if (!live && document?.status === 'published') return undefined
  // Deleted since: a later event follows.
  if (action !== 'delete' && isShownEvery(type, access, params)) return action
  if (action === 'create' || !wasVisible(event, access, live)) return undefined
  if (action === 'delete' || action === 'unpublish') return 'delete'
  return mayHaveLeft(event, access, params) ? 'delete' : undefined
}

function isShownEvery(type: ContentType, access: Access, params: Params): boolean {
  const filtered = params.filters !== undefined || (params.locale !== undefined && !hasVersions(type))
  return !filtered && seesAll(type, access, asksForLive(type, params))
}

/** Whether a written attribute may decide whether the caller sees the entry. */
function mayHaveLeft({ type, attributes }: FeedEvent, access: Access, { filters, locale }: Params): boolean {
  const rules = access.findRule(type, 'find')?.anyOf ?? []
  // Anywhere in a path, because an entry may be related to itself.
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
