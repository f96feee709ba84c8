// Reads a few entries of each content-type, and merges them: the last edits, the last drafts, and what is due next.

import { useEffect, useState } from 'preact/hooks'
import type { Entry, Home, Model, Type } from '../../described.ts'
import { getTitle } from '../data/columns.ts'
import { type Filter, getPage, readEntry, readPage, type ViewState } from '../data/load.ts'
import { parseView } from '../data/view-address.ts'
import { useLive } from '../live.ts'
import { say } from '../messages.ts'

export interface OverviewItem {
  readonly type: Type
  readonly entry: Entry
  readonly title: string
  readonly address: string
  /** An instant of the API. */
  readonly at: string
  /** What happens then, if it is due. */
  readonly due?: string
}

/** Each is undefined while it is read. */
interface Overview {
  /** Entries that a relation links to the user. */
  readonly mine?: readonly OverviewItem[]
  readonly recent?: readonly OverviewItem[]
  readonly drafts?: readonly OverviewItem[]
  readonly due?: readonly OverviewItem[]
  readonly fault?: string
}

const MAX_ITEMS = 8
/** Fewer than the connections that a browser opens, so that other requests of the page are answered between. */
const MAX_REQUESTS = 4
/** Edits of other types are not among the recent ones: there may be hundreds, each with a request of its own. */
const MAX_RECENT_TYPES = 30

export function useOverview(model: Model | undefined, counts: Home['counts'] | undefined): Overview {
  const { generation, login } = useLive()
  const user = login?.user?.id
  const [overview, setOverview] = useState<Overview>({})
  useEffect(() => {
    if (model === undefined || counts === undefined) return
    let current = true
    const add = (part: Overview): void => {
      if (current) setOverview((before) => ({ ...before, ...part }))
    }
    readOverview({ model, counts, user }, add).catch((error: Error) =>
      add({ mine: [], recent: [], drafts: [], due: [], fault: error.message }),
    )
    return () => {
      current = false
    }
  }, [model, counts, generation, user])
  return overview
}

interface OverviewOptions {
  readonly model: Model
  readonly counts: Home['counts']
  /** Undefined for developers. */
  readonly user: number | undefined
}

const USER = 'plugin::users-permissions.user'

/** The relation to a user, such as the author of an article. */
export function findOwner({ attributes }: Type): string | undefined {
  return attributes.find(({ target, many }) => target === USER && many !== true)?.name
}

async function readOverview(
  { model, counts, user }: OverviewOptions,
  onRead: (part: Overview) => void,
): Promise<void> {
  const types = model.types.filter(
    ({ own, uid, may }) => own && may.includes('find') && (counts[uid] ?? 0) > 0,
  )
  const largest = types.toSorted((one, other) => (counts[other.uid] ?? 0) - (counts[one.uid] ?? 0))
  const drafted = types.filter(({ draftAndPublish }) => draftAndPublish)
  const scheduled = types.filter(({ kind, schedule }) => kind === 'collectionType' && schedule !== undefined)
  const owned = types.filter((type) => type.kind === 'collectionType' && findOwner(type) !== undefined)
  const mine = await readFromAll(user === undefined ? [] : owned, (type) =>
    readEdited(type, model, 'preview', [
      { name: `${findOwner(type)}.id`, operator: '$eq', value: String(user) },
    ]),
  )
  onRead({ mine: mine.toSorted(compareLatest).slice(0, MAX_ITEMS) })
  const recent = await readFromAll(largest.slice(0, MAX_RECENT_TYPES), (type) =>
    readEdited(type, model, 'preview'),
  )
  onRead({ recent: recent.toSorted(compareLatest).slice(0, MAX_ITEMS) })
  const drafts = await readFromAll(drafted, (type) => readEdited(type, model, 'draft'))
  onRead({ drafts: drafts.toSorted(compareLatest).slice(0, MAX_ITEMS) })
  const due = await readFromAll(scheduled, (type) => readDue(type, model))
  onRead({ due: due.toSorted((one, other) => compareLatest(other, one)).slice(0, MAX_ITEMS) })
}

function compareLatest(one: OverviewItem, other: OverviewItem): number {
  return other.at.localeCompare(one.at)
}

async function readFromAll(
  types: readonly Type[],
  read: (type: Type) => Promise<readonly OverviewItem[]>,
): Promise<readonly OverviewItem[]> {
  const left = [...types]
  const found: OverviewItem[] = []
  const work = async (): Promise<void> => {
    for (let type = left.shift(); type !== undefined; type = left.shift()) found.push(...(await read(type)))
  }
  await Promise.all(Array.from({ length: MAX_REQUESTS }, work))
  return found
}

async function readFirst(
  type: Type,
  model: Model,
  state: ViewState,
  sort: string,
  filters: readonly Filter[] = [],
): Promise<readonly Entry[]> {
  const first = parseView(type, new URLSearchParams())
  const locale = type.locales === undefined ? first.locale : 'all'
  const { schedule = {}, look } = type
  const names = [look.title, schedule.publishAt, schedule.unpublishAt].filter((name) => name !== undefined)
  const fields = [
    ...new Set(names),
    'updatedAt',
    ...(type.draftAndPublish ? ['publishedAt'] : []),
    ...(type.locales === undefined ? [] : ['locale']),
  ]
  const view = { ...first, state, sort, filters, locale, pageSize: MAX_ITEMS }
  // Counting all entries would take longer than reading these.
  return (await readPage(type, model, view, {}, { fields, total: 0 })).entries
}

async function readEdited(
  type: Type,
  model: Model,
  state: ViewState,
  filters?: readonly Filter[],
): Promise<readonly OverviewItem[]> {
  if (type.kind === 'singleType') return readSingle(type, model, state)
  const entries = await readFirst(type, model, state, 'updatedAt:desc', filters)
  return entries.map((entry) => buildItem(type, entry, String(entry['updatedAt'])))
}

async function readSingle(type: Type, model: Model, state: ViewState): Promise<readonly OverviewItem[]> {
  const entry = await readEntry(type, model, undefined, type.defaultLocale)
  if (entry === undefined || (state === 'draft' && entry['publishedAt'] !== null)) return []
  const item = buildItem(type, entry, String(entry['updatedAt']))
  return [{ ...item, title: type.displayName, address: `/data/${type.name}` }]
}

async function readDue(type: Type, model: Model): Promise<readonly OverviewItem[]> {
  const { publishAt, unpublishAt } = type.schedule ?? {}
  const now = new Date().toISOString()
  const entries = await readFirst(type, model, 'scheduled', `${publishAt ?? unpublishAt}:asc`)
  return entries.flatMap((entry) =>
    [
      { name: publishAt, due: say('is published') },
      { name: unpublishAt, due: say('becomes a draft') },
    ].flatMap(({ name, due }) => {
      const at = name === undefined ? undefined : entry[name]
      return typeof at === 'string' && at > now ? [{ ...buildItem(type, entry, at), due }] : []
    }),
  )
}

function buildItem(type: Type, entry: Entry, at: string): OverviewItem {
  return { type, entry, title: getTitle(type, entry), address: getPage(type, entry), at }
}
