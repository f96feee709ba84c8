// Writes documents: finds a version's row and passes it to the entry writes.

import { ApiError } from '../lib/errors/api-error.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType } from '../model/content-type.ts'
import { type Database, run, type Work } from '../storage/database.ts'
import type { DocumentOptions, Documents, FinishVersions, WriteOptions } from './content.ts'
import type { Writes } from './create-writes.ts'
import { type DocumentRow, readDocumentRows, readRowsWithIds } from './document-rows.ts'
import { resolveReferences } from './documents/resolve-documents.ts'
import { type StoredValues, writeWithSentValues } from './refused-values.ts'
import type { Storage } from './storage.ts'
import { createNotFound } from './writes/write-entries.ts'

type Data = Readonly<Record<string, unknown>>

interface DocumentContext {
  readonly database: Database
  readonly storage: Storage
  readonly writes: Writes
  /** Epoch milliseconds. */
  now(): number
}

export function createDocuments({ database, storage, writes, now }: DocumentContext): Documents {
  /** Without a documentId, the rows of a single type's only document. */
  async function getRows(type: ContentType, documentId: string | undefined): Promise<readonly DocumentRow[]> {
    return database.read(
      () => (documentId === undefined ? everyRow(type) : readDocumentRows(storage, type, documentId)),
      { single: true },
    )
  }

  function* everyRow(type: ContentType): Work<readonly DocumentRow[]> {
    const rows = yield* run(storage.statements.everyId(type), [])
    return yield* readRowsWithIds(
      storage,
      type,
      rows.map(([id]) => Number(id)),
    )
  }

  async function resolved(type: ContentType, data: Data, locale: string | null): Promise<Data> {
    const { localizations: _, ...named } = data
    const known = await database.read(() => resolveReferences({ storage, locale }, type, named))
    return locale === null ? known : { ...known, locale }
  }

  async function create(type: ContentType, data: Data, options: DocumentOptions) {
    const locale = getLocale(type, options.locale)
    return writeWithSentValues(type, data, stored(type, data, locale, true), (known) =>
      writes.create(type, known, writing(options)),
    )
  }

  function stored(type: ContentType, data: Data, locale: string | null, isNew: boolean): StoredValues {
    return { around: around(type, locale), isNew, resolve: () => resolved(type, data, locale) }
  }

  function around(type: ContentType, locale: string | null): Data {
    const publishedAt = hasVersions(type) ? null : new Date(now()).toISOString()
    return { publishedAt, ...(locale !== null && { locale }) }
  }

  async function found(type: ContentType, documentId: string | undefined, options: DocumentOptions) {
    const locale = getLocale(type, options.locale)
    const rows = await getRows(type, documentId)
    const written = rows.filter(({ version }) => version === (hasVersions(type) ? 'draft' : 'published'))
    return { rows, locale, written, row: written.find((row) => row.locale === locale) }
  }

  async function finish(
    type: ContentType,
    documentId: string | undefined,
    options: DocumentOptions,
    action: FinishVersions,
  ) {
    const { row } = await found(type, documentId, options)
    if (row === undefined || !hasVersions(type)) throw createNotFound()
    return writeWithSentValues(type, {}, { around: {}, isNew: false, resolve: async () => ({}) }, () =>
      writes.update(type, row.id, {}, showing(options, action === 'publish' ? 'live' : 'draft', action)),
    )
  }

  return {
    async ofRow(type, id) {
      const [row] = await database.read(() => readRowsWithIds(storage, type, [id]), { single: true })
      return row
    },

    create,

    resolve: (type, data) => resolved(type, data, null),

    async update(type, documentId, data, options) {
      const { row, locale, written } = await found(type, documentId, options)
      const finishing = writing(options)
      if (row !== undefined)
        return writeWithSentValues(type, data, stored(type, data, locale, false), (known) =>
          writes.update(type, row.id, known, finishing),
        )
      const [source] = written
      if (source !== undefined && type.localized)
        return writeWithSentValues(type, data, stored(type, data, locale, true), (known) =>
          writes.localize(type, source.id, known, { ...finishing, documentId: source.documentId }),
        )
      if (documentId === undefined) return create(type, data, options)
      throw createNotFound()
    },

    async delete(type, documentId, options) {
      const { locale, rows } =
        options.locale === '*' && type.localized
          ? { locale: undefined, rows: await getRows(type, documentId) }
          : await found(type, documentId, options)
      const gone = locale === undefined ? rows : rows.filter((row) => row.locale === locale)
      const main = gone.find(({ version }) => version === 'published') ?? gone[0]
      if (main === undefined) return false
      const others = gone.filter((row) => row !== main).map(({ id }) => id)
      await writes.delete(type, main.id, { ...showing(options, 'live', undefined), with: others })
      return true
    },

    publish: (type, documentId, options) => finish(type, documentId, options, 'publish'),
    unpublish: (type, documentId, options) => finish(type, documentId, options, 'unpublish'),
    discardDraft: (type, documentId, options) => finish(type, documentId, options, 'discard'),
  }
}

function writing(options: DocumentOptions): WriteOptions {
  return options.status === 'draft'
    ? showing(options, 'draft', undefined)
    : showing(options, 'live', 'publish')
}

/** Related documents are shown in the same version. */
function showing(
  { status: _, locale: __, params, output, ...options }: DocumentOptions,
  shown: 'live' | 'draft',
  finish: FinishVersions | undefined,
): WriteOptions {
  return {
    ...options,
    params: { ...params, publicationState: shown },
    output: output && (() => output(shown)),
    finish,
  }
}

function getLocale({ locale }: ContentType, given: unknown): string | null {
  if (locale === undefined) return null
  if (given === undefined || given === null || given === '') return String(locale.default)
  if (typeof given === 'string' && given !== '*') return given
  const shown = typeof given === 'string' ? given : JSON.stringify(given)
  throw new ApiError(
    'ValidationError',
    `Invalid locale param ${shown} provided. Document locales must be strings.`,
  )
}
