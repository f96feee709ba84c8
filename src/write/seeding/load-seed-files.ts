// Stores the seed's files (`{ file: ./a.png, caption: … }`) and adds their entries to the seed's transaction.

import { basename, dirname, join, resolve } from 'node:path'
import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { openRegularFile } from '../../lib/read-regular-file.ts'
import type { Attribute } from '../../model/attribute.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'
import { type Content, MAX_SEED_FAULTS, type SeedEntry, SeedFailure, type SeedFault } from '../content.ts'
import type { FileIntake, ReceivedFile, StoredFile } from '../file-intake.ts'

/** Properties of a dumped file that are not columns. */
const NOT_STORED = ['file', 'folder', 'folderPath', 'related']

type Data = Readonly<Record<string, unknown>>
type Path = readonly string[]

export interface LoadedFiles {
  readonly entries: readonly SeedEntry[]
  undo(): Promise<void>
}

interface SeedFilesOptions {
  readonly content: Content
  /** Undefined if the upload plugin is off. */
  readonly files: FileIntake | undefined
  readonly model: Model
  readonly directory: string
  /** Hashes of files that already have entries: their contents are not removed. */
  readonly living?: ReadonlySet<string>
}

/** Throws SeedFailure. */
export async function loadSeedFiles(
  entries: readonly SeedEntry[],
  { content, files, model, directory, living }: SeedFilesOptions,
): Promise<LoadedFiles> {
  const { fileType } = model
  const nothing = { entries, undo: async () => {} }
  if (files === undefined || fileType === undefined) return nothing
  const kept: StoredFile[] = []
  const undo = async (): Promise<void> => {
    for (const one of kept.splice(0)) {
      if (living?.has(String(one.data['hash'])) !== true) await one.undo()
    }
  }

  async function keep(given: Data, place: Path, intake: FileIntake): Promise<Data> {
    const path = resolve(directory, String(given['file']))
    const fields = Object.fromEntries(Object.entries(given).filter(([key]) => !NOT_STORED.includes(key)))
    const file = await receive(intake, path)
    try {
      const one = await intake.keep(file, fields, place.join('.'), (key) =>
        receive(intake, join(dirname(path), key)).catch(() => undefined),
      )
      kept.push(one)
      return one.data
    } finally {
      await file.release()
    }
  }

  const added: SeedEntry[] = []
  let nextId: number | undefined
  // Localizations in one entry share their file objects, and so the files.
  const ids = new Map<Data, number>()
  const entryFor = async (given: Data, place: Path): Promise<number> => {
    const known = ids.get(given)
    if (known !== undefined) return known
    nextId ??= await firstFreeId(content, fileType, entries)
    const id = nextId++
    ids.set(given, id)
    added.push({ type: fileType, data: { ...(await keep(given, place, files)), id } })
    return id
  }

  const loaded: SeedEntry[] = []
  const faults: SeedFault[] = []
  try {
    for (const [index, { type, data }] of entries.entries()) {
      const place: Path = [type.uid, String(data['id'])]
      try {
        loaded.push({
          type,
          data:
            type === fileType
              ? await fileEntry(data, (given) => keep(given, place, files))
              : await withMedia(type, data, [], (given, path) => entryFor(given, [...place, ...path])),
        })
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        faults.push({ index, reason: error })
        if (faults.length >= MAX_SEED_FAULTS) break
      }
    }
    if (faults.length > 0) throw new SeedFailure(faults)
  } catch (error) {
    await undo()
    throw error
  }
  // Added at the end, so that reports keep the indexes of the other entries.
  return { entries: [...loaded, ...added], undo }
}

async function fileEntry(data: Data, keep: (given: Data) => Promise<Data>): Promise<Data> {
  const fields = Object.fromEntries(Object.entries(data).filter(([key]) => !NOT_STORED.includes(key)))
  if (data['file'] === undefined) return fields
  return { ...(await blamed(['file'], keep(data))), ...fields }
}

type EntryFor = (given: Data, path: Path) => Promise<number>

async function withMedia(schema: Schema, data: Data, path: Path, entryFor: EntryFor): Promise<Data> {
  const changed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    const attribute = schema.attributes.get(name)
    changed[name] =
      attribute === undefined ? value : await mediaIn(attribute, value, [...path, name], entryFor)
  }
  return changed
}

async function mediaIn(
  attribute: Attribute,
  value: unknown,
  path: Path,
  entryFor: EntryFor,
): Promise<unknown> {
  if (attribute.kind === 'scalar' || attribute.kind === 'relation') return value
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (const [index, element] of value.entries())
      list.push(await mediaIn(attribute, element, [...path, String(index)], entryFor))
    return list
  }
  if (!isRecord(value)) return value
  if (attribute.kind === 'media') return 'file' in value ? blamed(path, entryFor(value, path)) : value
  const component =
    attribute.kind === 'component'
      ? attribute.component
      : attribute.components.find(({ uid }) => uid === value['__component'])
  return component === undefined ? value : withMedia(component, value, path, entryFor)
}

async function receive(intake: FileIntake, path: string): Promise<ReceivedFile> {
  const opened = await openRegularFile(path)
  if (!opened.ok) {
    const message = opened.missing ? `there is no file ${path}` : `cannot read ${path}: ${opened.reason}`
    throw new ApiError('ValidationError', message)
  }
  const { handle } = opened
  try {
    return await intake.receive({
      filename: basename(path),
      mime: 'application/octet-stream',
      chunks: () => handle.createReadStream({ autoClose: false, start: 0 }),
    })
  } finally {
    await handle.close()
  }
}

/** The first id after those of the seed and the database. */
async function firstFreeId(
  content: Content,
  fileType: ContentType,
  entries: readonly SeedEntry[],
): Promise<number> {
  const byId = { sort: [{ path: ['id'], descending: true }], fields: ['id'] }
  const newest = await content.findFirst(fileType, byId)
  const ids = entries.flatMap(({ type, data }) => (type === fileType ? [Number(data['id'])] : []))
  return Math.max(0, newest?.id ?? 0, ...ids) + 1
}

/** Reports errors at the file's path in the seed. */
async function blamed<T>(path: Path, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw createValidationErrors([{ path, message: error.message, name: error.name }])
  }
}
