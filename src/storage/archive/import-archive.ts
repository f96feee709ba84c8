// Imports an archive after a first pass has checked every value. If the second pass fails, the import can be
// repeated.

import type { PlanValue } from '../../plan/read-plan.ts'
import { type Database, StatementFailure, UniqueViolation } from '../database.ts'
import { type LoadContext, startLoading } from '../load-tables.ts'
import { decodeArchiveValue } from '../sql/archive-value.ts'
import type { Layout, Table } from '../sql/layout.ts'
import {
  ArchiveFault,
  type Counts,
  END,
  MANIFEST,
  MAX_FILE_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_PART_BYTES,
  type Manifest,
  parseCounts,
  parseManifest,
} from './archive-format.ts'
import { moveFiles } from './move-files.ts'
import { readTar, type TarEntry } from './read-tar.ts'
import { isFileKey, type StoredFiles } from './stored-files.ts'

interface ImportOptions {
  readonly archive: string
  readonly database: Database
  readonly files: StoredFiles | undefined
  readonly replace: boolean
}

interface ImportResult extends Counts {
  readonly layout: Layout
  readonly createdAt: string
}

/** Throws ArchiveFault or LoadRefusal with the database unchanged. */
export async function importArchive({
  archive,
  database,
  files,
  replace,
}: ImportOptions): Promise<ImportResult> {
  const { manifest, counts } = await readArchive(archive, {})
  if (counts.files > 0 && files === undefined)
    throw new ArchiveFault(`it has ${counts.files} files, and the upload plugin is switched off`)
  const loading = await startLoading(database, manifest.layout, replace).catch((error: unknown) => {
    throw explained(error, '')
  })
  const addresses = new Map<string, string>()
  await readArchive(archive, {
    rows: (table, rows, place) => load(loading, table, rows, place),
    file: async (key, entry) => {
      const address = await files?.store(key, entry)
      if (address !== undefined && address !== `/uploads/${key}`) addresses.set(key, address)
    },
  })
  if (files !== undefined && counts.files > 0)
    await moveFiles(database, manifest.layout, { files, addresses })
  try {
    await loading.finish()
  } catch (error) {
    throw explained(error, '')
  }
  await files?.settle()
  return { layout: manifest.layout, createdAt: manifest.createdAt, ...counts }
}

async function load(
  loading: LoadContext,
  table: Table,
  rows: readonly (readonly PlanValue[])[],
  place: string,
): Promise<void> {
  try {
    await loading.load(table, rows)
  } catch (error) {
    throw explained(error, ` (${place})`)
  }
}

/** A database written by cms-run never has rows that contradict each other. */
function explained(error: unknown, place: string): unknown {
  if (error instanceof UniqueViolation)
    return new ArchiveFault(`two rows of ${error.table} have the same ${error.columns.join(' and ')}${place}`)
  if (error instanceof StatementFailure && error.kind === 'foreign-key')
    return new ArchiveFault(`a row names another one that is not there${place}`)
  if (error instanceof StatementFailure)
    return new ArchiveFault(`its tables cannot be made: ${error.message}${place}`)
  return error
}

interface Sink {
  rows?(table: Table, rows: readonly (readonly PlanValue[])[], place: string): Promise<void>
  file?(key: string, entry: TarEntry): Promise<void>
}

async function readArchive(file: string, sink: Sink): Promise<{ manifest: Manifest; counts: Counts }> {
  let manifest: Manifest | undefined
  let counts: Counts | undefined
  const rows: Record<string, number> = {}
  let files = 0
  for await (const entry of readTar(file)) {
    const { name } = entry
    if (counts !== undefined) throw new ArchiveFault(`${name} follows the end of the archive`)
    if (manifest === undefined) {
      if (name !== MANIFEST) throw new ArchiveFault('it was not made by cms-run export')
      manifest = parseManifest(await entry.text(MAX_MANIFEST_BYTES))
      continue
    }
    const [folder, second = '', third] = name.split('/')
    const table = manifest.layout.tables.get(second)
    if (folder === 'rows' && table !== undefined && third !== undefined) {
      const read = readPart(table, await entry.text(MAX_PART_BYTES), name)
      await sink.rows?.(table, read, name)
      rows[table.name] = (rows[table.name] ?? 0) + read.length
    } else if (folder === 'files' && third === undefined && isFileKey(second)) {
      if (entry.size > MAX_FILE_BYTES)
        throw new ArchiveFault(`${name} has ${entry.size} bytes; at most ${MAX_FILE_BYTES} are read`)
      await sink.file?.(second, entry)
      files += 1
    } else if (name === END) {
      counts = parseCounts(await entry.text(MAX_MANIFEST_BYTES))
    } else {
      throw new ArchiveFault(`${JSON.stringify(name)} is not a part of an archive`)
    }
  }
  if (manifest === undefined || counts === undefined)
    throw new ArchiveFault('it is incomplete: its end is missing')
  checkCounts(counts, rows, files)
  return { manifest, counts }
}

function checkCounts(counts: Counts, rows: Readonly<Record<string, number>>, files: number): void {
  for (const [table, count] of Object.entries(counts.rows)) {
    const found = Object.hasOwn(rows, table) ? rows[table] : 0
    if (found !== count)
      throw new ArchiveFault(`it is incomplete: ${found} of ${count} rows of ${table} are there`)
  }
  if (files !== counts.files)
    throw new ArchiveFault(`it is incomplete: ${files} of ${counts.files} files are there`)
}

function readPart(table: Table, text: string, name: string): readonly (readonly PlanValue[])[] {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')
  return lines.map((line, index) => readRow(table, line, `${name}, line ${index + 1}`))
}

function readRow({ columns }: Table, line: string, place: string): readonly PlanValue[] {
  let row: unknown
  try {
    row = JSON.parse(line)
  } catch {
    throw new ArchiveFault(`${place} is not JSON`)
  }
  if (!Array.isArray(row) || row.length !== columns.length)
    throw new ArchiveFault(`${place} is not a list of ${columns.length} values`)
  return columns.map(({ name, type, nullable }, index) => {
    const value = decodeArchiveValue(type, row[index])
    const missing = value === null && !nullable && type !== 'order'
    if (value === undefined || missing) throw new ArchiveFault(`${place}: "${name}" is no ${type}`)
    return value
  })
}
