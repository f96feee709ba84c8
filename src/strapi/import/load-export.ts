// Loads an archive of `strapi export` in batches into a database with the tables of an imported
// configuration.

import type { ApiVersion } from '../../config/config.ts'
import { buildRecord } from '../../lib/is-record.ts'
import type { Model } from '../../model/model.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import { moveFiles } from '../../storage/archive/move-files.ts'
import { isFileKey, type StoredFiles } from '../../storage/archive/stored-files.ts'
import type { Database } from '../../storage/database.ts'
import { findExistingIds } from '../../storage/existing-ids.ts'
import { type LoadContext, startLoading } from '../../storage/load-tables.ts'
import type { ModelLayout } from '../../storage/sql/build-layout.ts'
import type { Table } from '../../storage/sql/layout.ts'
import { createEntityRows, getId, type Misfit } from './entity-rows.ts'
import { type LinkRow, linkRows } from './link-rows.ts'
import { makeDrafts } from './make-drafts.ts'
import { readParts } from './read-export.ts'
import { formatText, StrapiFault } from './strapi-source.ts'

export interface LoadOptions {
  readonly archive: string
  readonly apiVersion: ApiVersion
  readonly database: Database
  readonly model: Model
  readonly layout: ModelLayout
  readonly files: StoredFiles | undefined
  readonly replace: boolean
  /** Whether values that do not fit their attributes are left out instead of refused. */
  readonly skipsMisfits: boolean
  readonly progress: (entries: number) => void
}

export interface LoadResult {
  readonly entries: Readonly<Record<string, number>>
  readonly links: number
  readonly files: number
  readonly leftOut: Readonly<Record<string, number>>
  readonly danglingLinks: number
  readonly madeDrafts: number
  readonly misfits: readonly Misfit[]
}

/** Entities or links in memory at once. */
const BATCH_ENTITIES = 500
const ENTRIES_TO_PROGRESS = 10_000
/** In memory at once; an export with more is of another model. */
const MAX_MISFITS = 10_000

/** Stored differently here: permissions of roles are text, locales are in the file. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'plugin::users-permissions.permission',
  'plugin::i18n.locale',
])

/** On StrapiFault or LoadRefusal the database is unchanged. */
export async function loadExport(options: LoadOptions): Promise<LoadResult> {
  const { archive, database, model, layout, files, replace, progress } = options
  if (options.apiVersion !== model.apiVersion.name)
    throw new StrapiFault(
      `it was made by another Strapi than the configuration is for: that says "dialect: ${model.apiVersion.name}", the archive is of ${options.apiVersion}`,
    )
  // A full read before any change: the archive may be incomplete, and values may be invalid.
  const misfits: Misfit[] = []
  const trial = createEntityRows(
    layout,
    () => {},
    (misfit) => {
      misfits.push(misfit)
      if (misfits.length > MAX_MISFITS)
        throw new StrapiFault(`more than ${MAX_MISFITS} values do not fit: ${describeMisfits(misfits)}`)
    },
  )
  await readParts(archive, {
    item(part, value) {
      const type = part === 'entities' ? model.contentTypes.get(formatText(value['type'])) : undefined
      if (type !== undefined) trial.take(type, getId(value['id'], type.uid), buildRecord(value['data']))
    },
  })
  if (misfits.length > 0 && !options.skipsMisfits) throw new StrapiFault(describeMisfits(misfits))
  const loading = await startLoading(database, layout, replace)
  const counts = {
    entries: new Map<string, number>(),
    leftOut: new Map<string, number>(),
    links: 0,
    files: 0,
    dangling: 0,
  }
  const batch = rowBatch(loading)
  const rows = createEntityRows(layout, batch.take, () => {})
  const linkRow = linkRows(model, layout)
  let loaded = 0
  let links: LinkRow[] = []
  const addresses = new Map<string, string>()

  async function flushLinks(): Promise<void> {
    await batch.flush()
    const kept = await whole(database, links)
    counts.dangling += links.length - kept.length
    counts.links += kept.length
    for (const { table, row } of kept) batch.take(table, row)
    links = []
    await batch.flush()
  }

  await readParts(archive, {
    async item(part, value) {
      if (part === 'entities') {
        const uid = formatText(value['type'])
        const type = model.contentTypes.get(uid)
        if (type === undefined || ELSEWHERE.has(uid)) {
          if (!ELSEWHERE.has(uid)) counts.leftOut.set(uid, (counts.leftOut.get(uid) ?? 0) + 1)
          return
        }
        rows.take(type, getId(value['id'], uid), buildRecord(value['data']))
        counts.entries.set(uid, (counts.entries.get(uid) ?? 0) + 1)
        loaded += 1
        if (loaded % ENTRIES_TO_PROGRESS === 0) progress(loaded)
        if (batch.entries() >= BATCH_ENTITIES) await batch.flush()
      } else if (part === 'links') {
        if (ELSEWHERE.has(formatText(buildRecord(value['left'])['type']))) return
        const row = linkRow(value)
        if (row === undefined) return
        links.push(row)
        if (links.length >= BATCH_ENTITIES) await flushLinks()
      }
    },
    async asset(name, entry) {
      if (files === undefined || !isFileKey(name)) return
      const address = await files.store(name, entry)
      if (address !== `/uploads/${name}`) addresses.set(name, address)
      counts.files += 1
    },
  })
  await flushLinks()
  for (const table of layout.tables.values()) {
    if (table.columns.some(({ references }) => references !== undefined)) await loading.dropDuplicates(table)
  }
  if (files !== undefined) await moveFiles(database, layout, { files, addresses })
  const madeDrafts = await makeDrafts(database, model, layout)
  await loading.finish()
  await files?.settle()
  return {
    entries: Object.fromEntries(counts.entries),
    links: counts.links,
    files: counts.files,
    leftOut: Object.fromEntries(counts.leftOut),
    danglingLinks: counts.dangling,
    madeDrafts,
    misfits,
  }
}

const SHOWN_MISFITS = 10

function describeMisfits(misfits: readonly Misfit[]): string {
  const shown = misfits.slice(0, SHOWN_MISFITS).map(formatMisfit)
  const others = misfits.length - shown.length
  return [...shown, ...(others > 0 ? [`and ${others} more`] : [])].join('\n')
}

export function formatMisfit({ type, id, path, expected }: Misfit): string {
  return `${type} ${id}: "${path}" is not a value of type ${expected}`
}

interface RowBatch {
  take(table: Table, row: readonly PlanValue[]): void
  entries(): number
  flush(): Promise<void>
}

/** Keeps tables in the order in which they first came, so that rows are stored before rows that refer to them. */
function rowBatch(loading: LoadContext): RowBatch {
  const waiting = new Map<Table, (readonly PlanValue[])[]>()
  let count = 0
  return {
    take(table, row) {
      count += 1
      const rows = waiting.get(table)
      if (rows === undefined) waiting.set(table, [row])
      else rows.push(row)
    },
    entries: () => count,
    async flush() {
      // Referenced tables come first, and the largest id last, because the database continues from it.
      const tables = [...waiting.keys()].sort((a, b) => Number(refers(a)) - Number(refers(b)))
      for (const table of tables) {
        const id = table.columns.findIndex(({ type }) => type === 'id')
        const rows = waiting.get(table) ?? []
        await loading.load(
          table,
          rows.sort((a, b) => Number(a[id]) - Number(b[id])),
        )
      }
      waiting.clear()
      count = 0
    },
  }
}

function refers({ columns }: Table): boolean {
  return columns.some(({ references }) => references !== undefined)
}

/** Strapi keeps links to deleted entries, which are dropped here. */
async function whole(database: Database, links: readonly LinkRow[]): Promise<readonly LinkRow[]> {
  const wanted = new Map<string, Set<number>>()
  for (const { needs } of links) {
    for (const [table, id] of needs) wanted.set(table, (wanted.get(table) ?? new Set()).add(id))
  }
  const there = new Map<string, ReadonlySet<number>>()
  for (const [table, ids] of wanted) there.set(table, await findExistingIds(database, table, [...ids]))
  return links.filter(({ needs }) => needs.every(([table, id]) => there.get(table)?.has(id) === true))
}
