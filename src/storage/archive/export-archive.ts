// Exports a database and its files as a stream, with a few hundred rows in memory.

import type { Database, DatabaseReader } from '../database.ts'
import { readRows, readShownLayout } from '../read-tables.ts'
import type { Table } from '../sql/layout.ts'
import { END, formatManifest, MANIFEST, PART_BYTES } from './archive-format.ts'
import { FILE, listFileKeys } from './file-keys.ts'
import type { StoredFiles } from './stored-files.ts'
import { type TarWriter, writeTar } from './write-tar.ts'

interface ExportResult {
  readonly rows: Readonly<Record<string, number>>
  readonly files: number
  /** Keys of files that entries name, but no provider of this server has. */
  readonly missingFiles: readonly string[]
}

interface ExportOptions {
  readonly database: Database
  readonly files: StoredFiles | undefined
  readonly to: string
  readonly version: string
  readonly now: Date
}

export async function exportArchive(options: ExportOptions): Promise<ExportResult | undefined> {
  return options.database.readOneState((reader) => exportFrom(reader, options))
}

async function exportFrom(
  database: DatabaseReader,
  options: ExportOptions,
): Promise<ExportResult | undefined> {
  const { to, version, now } = options
  const layout = await readShownLayout(database)
  if (layout === undefined) return undefined
  const tar = writeTar(to)
  try {
    await tar.text(MANIFEST, formatManifest(layout, now.toISOString(), version))
    const rows: Record<string, number> = {}
    for (const table of layout.tables.values()) rows[table.name] = await writeRows(tar, database, table)
    const fileTable = [...layout.tables.values()].find(({ origin }) => origin === FILE)
    const stored =
      fileTable === undefined
        ? { files: 0, missingFiles: [] }
        : await writeFiles(tar, database, options.files, fileTable)
    await tar.text(END, `${JSON.stringify({ rows, files: stored.files })}\n`)
    await tar.finish()
    return { rows, ...stored }
  } catch (error) {
    await tar.abandon()
    throw error
  }
}

/** In parts of about 1 MB, because a tar file has the length of an entry before its bytes. */
async function writeRows(tar: TarWriter, database: DatabaseReader, table: Table): Promise<number> {
  let count = 0
  let part = 0
  let lines: string[] = []
  let length = 0
  const close = async (): Promise<void> => {
    if (lines.length === 0) return
    part += 1
    await tar.text(`rows/${table.name}/${String(part).padStart(6, '0')}.ndjson`, lines.join(''))
    lines = []
    length = 0
  }
  for await (const rows of readRows(database, table)) {
    for (const row of rows) {
      const line = `${JSON.stringify(row)}\n`
      lines.push(line)
      length += line.length
      count += 1
      if (length >= PART_BYTES) await close()
    }
  }
  await close()
  return count
}

async function writeFiles(
  tar: TarWriter,
  database: DatabaseReader,
  files: StoredFiles | undefined,
  table: Table,
): Promise<Pick<ExportResult, 'files' | 'missingFiles'>> {
  let count = 0
  const missingFiles: string[] = []
  for await (const rows of readRows(database, table)) {
    for (const key of rows.flatMap((row) => listFileKeys(table, row))) {
      const file = await files?.open(key)
      if (file === undefined) {
        missingFiles.push(key)
        continue
      }
      await tar.bytes(`files/${key}`, file.size, file.chunks())
      count += 1
    }
  }
  return { files: count, missingFiles }
}
