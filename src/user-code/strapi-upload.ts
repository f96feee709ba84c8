// The service of Strapi's upload plugin for users' code: `strapi.plugin('upload').service('upload').upload({ data, files })`.

import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { buildRecord, isRecord } from '../lib/is-record.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import type { FileInfo, FileIntake, ReceivedFile } from '../write/file-intake.ts'
import type { Entries, EntriesQuery } from './entries-query.ts'
import { getKey } from './strapi-core-entries.ts'

type Members = Readonly<Record<string, unknown>>

export interface StrapiUpload {
  /** Stores files of the disk, in their order; with `ref`, `refId` and `field` the entry shows them. */
  upload(given: { readonly data?: unknown; readonly files: unknown }): Promise<readonly EntryObject[]>
  updateFileInfo(id: number | string, info: FileInfo): Promise<EntryObject>
  /** With its contents. */
  remove(file: { readonly id: number }): Promise<EntryObject>
  findOne(id: number | string, populate?: EntriesQuery['populate']): Promise<EntryObject | null>
  findMany(query?: EntriesQuery): Promise<EntryObject[]>
}

interface UploadPlace {
  entries(uid: string): Entries
  /** Undefined without the upload plugin. */
  getIntake(): FileIntake | undefined
  findType(
    uid: string,
  ): { readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>> } | undefined
}

const FILE = 'plugin::upload.file'
const TEXTS = ['name', 'alternativeText', 'caption'] as const

export function createStrapiUpload({ entries, getIntake, findType }: UploadPlace): StrapiUpload {
  async function show(ids: readonly number[], { ref, refId, field }: Members): Promise<void> {
    if (ref === undefined || refId === undefined || field === undefined) return
    const attribute = findType(String(ref))?.attributes[String(field)]
    if (attribute?.['type'] !== 'media') throw new TypeError(`${String(ref)} has no media "${String(field)}"`)
    const value = attribute['multiple'] === true ? { connect: ids } : ids[0]
    await entries(String(ref)).update(getKey(refId as number | string), { [String(field)]: value })
  }

  return {
    async upload({ data: given, files }) {
      const intake = getIntake()
      if (intake === undefined) throw new Error('no files are stored: write "plugins: { upload: true }"')
      const data = isRecord(given) ? given : {}
      const received: ReceivedFile[] = []
      try {
        for (const file of [files].flat()) received.push(await receive(file, intake))
        const stored = await intake.store(received, listInfos(data['fileInfo'], received), undefined)
        try {
          await show(stored.ids, data)
          const found = await Promise.all(stored.ids.map((id) => entries(FILE).findOne(id)))
          return found.filter((file) => file !== null)
        } catch (fault) {
          await stored.undo()
          throw fault
        }
      } finally {
        for (const file of received) await file.release()
      }
    },
    updateFileInfo: (id, info) => entries(FILE).update(getKey(id), { ...pickTexts(info) }),
    remove: ({ id }) => entries(FILE).delete(id),
    findOne: (id, populate) => entries(FILE).findOne(getKey(id), populate === undefined ? {} : { populate }),
    findMany: (query) => entries(FILE).findMany(query),
  }
}

/** Strapi 4 and 5 name the members of a file differently. */
async function receive(file: unknown, intake: FileIntake): Promise<ReceivedFile> {
  const { path, filepath = path, name, originalFilename = name, type, mimetype = type } = buildRecord(file)
  if (typeof filepath !== 'string')
    throw new TypeError('upload takes files with the path of a file on the disk, under "filepath" or "path"')
  return intake.receive({
    filename: typeof originalFilename === 'string' ? originalFilename : basename(filepath),
    mime: typeof mimetype === 'string' ? mimetype : 'application/octet-stream',
    chunks: () => createReadStream(filepath),
  })
}

function listInfos(given: unknown, files: readonly ReceivedFile[]): readonly FileInfo[] {
  const infos = Array.isArray(given) ? given : files.map(() => given)
  return infos.map((info) => pickTexts(buildRecord(info)))
}

function pickTexts(info: FileInfo): FileInfo {
  return Object.fromEntries(TEXTS.flatMap((name) => (info[name] === undefined ? [] : [[name, info[name]]])))
}
