// Receives, checks and stores files of requests, creates their `plugin::upload.file` entries, and removes
// both when the operation fails.

import { everyPermission } from '../../access/principal.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { ContentType } from '../../model/content-type.ts'
import { getId } from '../../query/rows/entry.ts'
import type { Content } from '../../write/content.ts'
import type { FileIntake, IncomingFile, ReceivedFile } from '../../write/file-intake.ts'
import { readPieces } from '../memory-files.ts'
import type { FileContent, ProviderFile, UploadProvider } from '../upload-provider.ts'
import { formatData, getInfoData, listKeys, toKilobytes } from './file-data.ts'
import { checkFileName, hashFor, isKey } from './file-names.ts'
import type { Images } from './images.ts'
import { getExtension, getMediaType, getTypeExtension, isActive, isAllowedType } from './media-types.ts'
import type { UploadOptions } from './options.ts'
import type { PendingFiles } from './pending-files.ts'
import { type SpooledFile, spool } from './spool.ts'

interface IntakeContext {
  readonly content: Content
  readonly fileType: ContentType
  readonly options: Pick<UploadOptions, 'sizeLimit' | 'allowedTypes' | 'provider'>
  readonly images: Images
  readonly pending: PendingFiles | undefined
  provider(): Promise<UploadProvider>
}

interface KeepAs {
  readonly hash: string
  readonly ext: string
  readonly name: string
  /** Without measuring, compression or formats. */
  readonly asItIs?: boolean
  /** Whether its name is always the same, so that storing it again replaces remains. */
  readonly isSeed?: boolean
}

type FileData = Readonly<Record<string, unknown>> & { readonly hash: string; readonly ext: string }

export interface Intake extends FileIntake {
  /**
   * Stores contents without an entry. Pass `keys` to `removeKeys` on failure, or to `settle` when the entry
   * is written.
   */
  put(file: ReceivedFile, as: KeepAs): Promise<{ readonly data: FileData; readonly keys: string[] }>
  settle(keys: readonly string[]): Promise<void>
  removeKeys(keys: readonly string[]): Promise<void>
  provider(): Promise<UploadProvider>
}

interface ReceivedUpload extends ReceivedFile {
  readonly spooled: SpooledFile
  /** The media type by the first bytes, whatever the name. */
  readonly sniffed: string | undefined
}

export function createIntake(given: IntakeContext): Intake {
  const { content, fileType, options, images, pending, provider } = given

  async function put(
    file: ReceivedFile,
    { hash, ext, name, asItIs = false, isSeed = false }: KeepAs,
  ): Promise<{ data: FileData; keys: string[] }> {
    const { spooled, sniffed, mime } = file as ReceivedUpload
    const worked = asItIs ? undefined : await images.work(spooled, sniffed ?? mime)
    const place = await provider()
    const keys: string[] = []
    const store = async (key: string, what: FileContent, path?: string): Promise<PlacedFile> => {
      keys.push(key)
      if (!isSeed) await pending?.begin(key)
      const stored: ProviderFile = {
        key,
        mime,
        active: isActive(ext, mime),
        ...inPieces(what),
        ...(path === undefined ? {} : { path }),
      }
      const kept = await whileThereIsSpace(place.store(stored))
      return { url: kept.url, metadata: kept.metadata ?? null, bytes: what.size }
    }
    try {
      const formats: Record<string, unknown> = {}
      for (const format of worked?.formats ?? []) {
        const formatHash = `${format.name}_${hash}`
        const { url } = await store(`${formatHash}${ext}`, inMemory(format.bytes))
        formats[format.name] = formatData(format, { hash: formatHash, name, ext, mime, url })
      }
      const { optimized } = worked ?? {}
      const main =
        optimized === undefined
          ? await store(`${hash}${ext}`, spooled, spooled.path)
          : await store(`${hash}${ext}`, inMemory(optimized))
      const data: FileData = {
        name,
        width: worked?.width ?? null,
        height: worked?.height ?? null,
        formats: Object.keys(formats).length === 0 ? null : formats,
        hash,
        ext,
        mime,
        size: toKilobytes(main.bytes),
        url: main.url,
        previewUrl: null,
        provider: place.name ?? options.provider,
        provider_metadata: main.metadata,
      }
      return { data, keys }
    } catch (error) {
      await removeKeys(keys)
      throw error
    }
  }

  async function removeKeys(keys: readonly string[]): Promise<void> {
    const place = await provider()
    for (const key of keys) {
      await place.remove(key)
      await pending?.end([key])
    }
  }

  const settle = async (keys: readonly string[]): Promise<void> => pending?.end(keys)

  return {
    put,
    settle,
    removeKeys,
    provider,

    async receive(file: IncomingFile): Promise<ReceivedUpload> {
      const filename = checkFileName(file.filename)
      const { spoolDirectory } = await provider()
      const spooled = await whileThereIsSpace(spool(file, options.sizeLimit, spoolDirectory))
      try {
        const sniffed = await sniff(spooled.head)
        const told = getMediaType(filename, file.mime, sniffed, spooled.head)
        // For files sent as plain text, Strapi 5 uses the detected type.
        const mime = told === 'text/plain' && fileType.document !== undefined ? (sniffed ?? told) : told
        for (const type of [mime, sniffed]) {
          if (type !== undefined && !isAllowedType(type, options.allowedTypes))
            throw notTaken(filename, type, options)
        }
        return { filename, mime, size: spooled.size, spooled, sniffed, release: spooled.release }
      } catch (error) {
        await spooled.release()
        throw error
      }
    },

    async keep(file, given, salt, variant) {
      const text = (key: string): string | undefined =>
        typeof given[key] === 'string' ? (given[key] as string) : undefined
      const name = checkFileName(text('name') ?? file.filename)
      const ext = text('ext') ?? (getExtension(file.filename) || getTypeExtension(file.mime))
      const hash = text('hash') ?? hashFor(name, ext, salt)
      if (!isKey(`${hash}${ext}`))
        throw new ApiError('ValidationError', `"${hash}${ext}" is not a valid name of a file`)
      // A file that comes with its formats is a copy of a stored file.
      const { data, keys } = await put(file, {
        hash,
        ext,
        name,
        asItIs: given['formats'] !== undefined,
        isSeed: true,
      })
      const undo = (): Promise<void> => removeKeys(keys)
      try {
        const place = await provider()
        const [, ...formats] = listKeys({ hash, ext, formats: given['formats'] })
        for (const key of formats.filter((one) => isKey(one) && !keys.includes(one))) {
          const format = (await variant(key)) as ReceivedUpload | undefined
          if (format === undefined) continue
          const { spooled, mime } = format
          await place.store({ key, mime, active: isActive(ext, mime), ...inPieces(spooled) })
          keys.push(key)
          await format.release()
        }
      } catch (error) {
        await undo()
        throw error
      }
      return { data: { ...data, ...given }, undo }
    },

    async store(files, infos, by) {
      const keys: string[] = []
      const ids: number[] = []
      const undo = async (): Promise<void> => {
        // Deleting an entry also removes its contents; contents without an entry are removed here.
        for (const id of ids.splice(0)) await remove(id)
        await removeKeys(keys.splice(0))
      }
      const remove = (id: number) => content.delete(fileType, id, { params: {}, access: everyPermission, by })
      try {
        for (const [index, file] of files.entries()) {
          const info = infos[index] ?? {}
          const name = checkFileName(info.name ?? file.filename)
          const ext = getExtension(file.filename) || getTypeExtension(file.mime)
          const kept = await put(file, { hash: hashFor(name, ext), ext, name })
          keys.push(...kept.keys)
          const data = { ...kept.data, ...getInfoData(info), name }
          const { entry } = await content.create(fileType, data, { params: {}, access: everyPermission, by })
          ids.push(getId(entry))
          await settle(kept.keys)
        }
      } catch (error) {
        await undo()
        throw error
      }
      return { ids: [...ids], undo }
    },
  }
}

interface PlacedFile {
  readonly url: string
  readonly metadata: unknown
  readonly bytes: number
}

function inPieces(content: FileContent): FileContent {
  return { size: content.size, chunks: (range) => content.chunks(range) }
}

function inMemory(bytes: Uint8Array): FileContent {
  return { size: bytes.length, chunks: (range) => readPieces(bytes, range) }
}

async function sniff(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  try {
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // The head was too short for the parser.
    return undefined
  }
}

function notTaken(
  filename: string,
  mime: string,
  { allowedTypes }: Pick<UploadOptions, 'allowedTypes'>,
): ApiError {
  return new ApiError(
    'ValidationError',
    `The file "${filename}" is refused: it is ${mime}, and only ${allowedTypes.join(', ')} are taken`,
  )
}

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE'])

/** Turns errors of a full disk or an exceeded quota into 503 with `retry-after`. */
async function whileThereIsSpace<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code !== 'string' || !FULL.has(code)) throw error
    throw new ApiError(
      'ServiceUnavailableError',
      'There is no space to store the file',
      {},
      { 'retry-after': '60' },
    )
  }
}
