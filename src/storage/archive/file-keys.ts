// Finds the provider's keys of a file and its formats in a row of the files' table.

import { isRecord } from '../../lib/is-record.ts'
import type { ArchiveValue } from '../sql/archive-value.ts'
import type { Table } from '../sql/layout.ts'
import { isFileKey } from './stored-files.ts'

export const FILE = 'plugin::upload.file'

/** Omits files with an absolute address that no provider of this server made. */
export function listFileKeys(table: Table, row: readonly ArchiveValue[]): readonly string[] {
  const at = (name: string): ArchiveValue =>
    row[table.columns.findIndex((column) => column.name === name)] ?? null
  const own = buildKey({ hash: at('hash'), ext: at('ext') })
  return [...own, ...getFormats(at('formats')).flatMap(buildKey)]
}

export function buildKey(file: Readonly<Record<string, unknown>>): readonly string[] {
  const { hash, ext } = file
  const key = `${typeof hash === 'string' ? hash : ''}${typeof ext === 'string' ? ext : ''}`
  return isFileKey(key) ? [key] : []
}

function getFormats(text: ArchiveValue): readonly Readonly<Record<string, unknown>>[] {
  if (typeof text !== 'string') return []
  const formats: unknown = JSON.parse(text)
  return isRecord(formats) ? Object.values(formats).filter(isRecord) : []
}
