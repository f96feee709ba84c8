// Implements the file operations of REST and GraphQL: store, change texts, replace contents, delete.

import { everyPermission, type Principal } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'
import { type EntryObject, toObject } from '../../query/rows/to-object.ts'
import type { Content } from '../../write/content.ts'
import type { FileInfo, ReceivedFile } from '../../write/file-intake.ts'
import { attach, findTarget } from './attach-files.ts'
import { backUp } from './backup-files.ts'
import type { Intake } from './create-intake.ts'
import { listKeys } from './file-data.ts'
import { empty, type Upload } from './receive-upload.ts'

interface UploadsOptions {
  readonly content: Content
  readonly model: Model
  readonly fileType: ContentType
  readonly intake: Intake
}

export interface Uploads {
  readonly intake: Intake
  /** In the order of the files. */
  create(upload: Upload, by: Principal): Promise<readonly EntryObject[]>
  /** Throws NotFoundError. */
  update(id: number, info: FileInfo, by: Principal): Promise<EntryObject>
  /** The URL stays. Throws NotFoundError. */
  replace(id: number, upload: Upload, by: Principal): Promise<EntryObject>
  /** Returns the entry as it was. Throws NotFoundError. */
  delete(id: number, by: Principal): Promise<EntryObject>
  find(id: number): Promise<EntryObject | undefined>
}

const WRITE = { params: {}, access: everyPermission } as const

export function createUploads({ content, model, fileType, intake }: UploadsOptions): Uploads {
  const find = (id: number) => content.findOne(fileType, id, {})

  async function existing(id: number): Promise<EntryObject> {
    const file = await find(id)
    if (file === undefined) throw new ApiError('NotFoundError', 'Entity not found')
    return file
  }

  async function write(
    id: number,
    data: Readonly<Record<string, unknown>>,
    by: Principal,
  ): Promise<EntryObject> {
    const { plan, entry } = await content.update(fileType, id, data, { ...WRITE, by })
    return toObject(plan, entry)
  }

  return {
    intake,
    find,

    async create({ files, infos, target }, by) {
      if (files.length === 0) throw empty()
      const place = await findTarget(target, { model, content }, by.permissions)
      const stored = await intake.store(files, infos, by)
      try {
        if (place !== undefined) await attach(content, place, stored.ids, by)
        return await Promise.all(stored.ids.map(existing))
      } catch (error) {
        await stored.undo()
        throw error
      }
    },

    async update(id, info, by) {
      await existing(id)
      const { name, ...others } = info
      return write(id, { ...others, ...(name === undefined || name === null ? {} : { name }) }, by)
    },

    async replace(id, { files, infos: [info = {}] }, by) {
      const [file] = files
      if (file === undefined) throw empty()
      if (files.length > 1) throw new ApiError('ValidationError', 'Cannot replace a file with multiple ones')
      const before = await existing(id)
      if (file.mime !== before['mime']) throw otherType(file, before)
      const { hash, ext } = before
      const as = { hash: String(hash), ext: String(ext ?? ''), name: info.name ?? file.filename }
      const old = listKeys(before)
      const backup = await backUp(await intake.provider(), old)
      try {
        const { data, keys } = await intake.put(file, as)
        const { name: _, ...others } = info
        const entry = await write(id, { ...data, ...others, formats: data['formats'] ?? {} }, by)
        await intake.removeKeys(old.filter((key) => !keys.includes(key)))
        await intake.settle(keys)
        return entry
      } catch (error) {
        await backup.restore()
        throw error
      } finally {
        await backup.release()
      }
    },

    async delete(id, by) {
      const { plan, entry } = await content.delete(fileType, id, { ...WRITE, by })
      return toObject(plan, entry)
    },
  }
}

/** The contents of a URL keep their type, because clients rely on it. */
function otherType(file: ReceivedFile, before: EntryObject): ApiError {
  return new ApiError(
    'ValidationError',
    `The file "${file.filename}" is ${file.mime}, and it would replace one of type ${String(before['mime'])}`,
  )
}
