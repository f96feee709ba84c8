// Reads, sends and changes the files of the media library.

import type { Model } from '../../described.ts'
import { getLanguage, say } from '../messages.ts'
import { api, sendForm } from '../server.ts'
import { type EntryLink, queryText } from './values.ts'

export interface MediaFile {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly mime: string
  /** In kB. */
  readonly size?: number | null
  readonly width?: number | null
  readonly height?: number | null
  readonly alternativeText?: string | null
  readonly caption?: string | null
  /** Undefined where files have none. */
  readonly focalPoint?: unknown
  readonly formats?: Readonly<Record<string, { readonly url?: string }>> | null
}

export const FILES = 'plugin::upload.file'

export type MediaKind = 'images' | 'videos' | 'audios' | 'files'

const KINDS: readonly MediaKind[] = ['images', 'videos', 'audios', 'files']

export function nameKind(kind: MediaKind): string {
  switch (kind) {
    case 'images':
      return say('Images')
    case 'videos':
      return say('Videos')
    case 'audios':
      return say('Audio')
    case 'files':
      return say('Other files')
  }
}

const MIME_STARTS: Readonly<Record<string, string>> = { images: 'image/', videos: 'video/', audios: 'audio/' }

/** The kinds that an attribute takes; with `files`, it takes every file. */
export function listKinds(allowed: readonly string[] | undefined): readonly MediaKind[] {
  if (allowed === undefined || allowed.length === 0 || allowed.includes('files')) return KINDS
  return KINDS.filter((kind) => allowed.includes(kind))
}

/** What a file chooser offers. */
export function listAccepted(kinds: readonly MediaKind[]): string | undefined {
  return kinds.includes('files') ? undefined : kinds.map((kind) => `${MIME_STARTS[kind]}*`).join(',')
}

export function isAccepted({ mime }: Pick<MediaFile, 'mime'>, kinds: readonly MediaKind[]): boolean {
  return kinds.includes('files') || kinds.some((kind) => mime.startsWith(MIME_STARTS[kind] ?? ''))
}

function buildKindFilter(kinds: readonly MediaKind[]): Readonly<Record<string, unknown>> {
  const start = (kind: string): unknown => ({ mime: { $startsWith: MIME_STARTS[kind] } })
  const toList = (names: readonly string[]): unknown => Object.assign({}, names.map(start))
  if (kinds.length === KINDS.length) return {}
  return kinds.includes('files')
    ? { $not: { $or: toList(Object.keys(MIME_STARTS)) } }
    : { $or: toList(kinds) }
}

const BATCH_FILES = 40

interface FoundFiles {
  readonly files: readonly MediaFile[]
  readonly more: boolean
}

/** The newest first. */
export async function searchFiles(
  { prefix }: Model,
  text: string,
  kinds: readonly MediaKind[],
  page: number,
): Promise<FoundFiles> {
  const query = queryText({
    filters: { ...(text !== '' && { name: { $containsi: text } }), ...buildKindFilter(kinds) },
    sort: 'createdAt:desc,id:desc',
    start: (page - 1) * BATCH_FILES,
    // Reads one more entry to detect a further page.
    limit: BATCH_FILES + 1,
  })
  const found = await api<readonly MediaFile[]>(`${prefix}/upload/files?${query}`)
  return { files: found.slice(0, BATCH_FILES), more: found.length > BATCH_FILES }
}

export async function readFiles({ prefix }: Model, ids: readonly number[]): Promise<readonly MediaFile[]> {
  if (ids.length === 0) return []
  const query = queryText({ filters: { id: { $in: ids } } })
  return api<readonly MediaFile[]>(`${prefix}/upload/files?${query}`)
}

/** `onProgress`: the part that is sent, from 0 to 1. Rejects with a message for people. */
export async function sendFile(
  { prefix }: Model,
  file: File,
  onProgress: (part: number) => void,
): Promise<MediaFile> {
  const form = new FormData()
  form.append('files', file)
  const [sent] = await sendForm<readonly MediaFile[]>(`${prefix}/upload`, form, onProgress)
  if (sent === undefined) throw new Error(say('The server has kept no file.'))
  return sent
}

/** The information belongs to the file, wherever it is shown. */
export function writeFileInfo(
  { prefix }: Model,
  id: number,
  info: Partial<Pick<MediaFile, 'name' | 'alternativeText' | 'caption' | 'focalPoint'>>,
): Promise<MediaFile> {
  return api<MediaFile>(`${prefix}/upload?id=${id}`, 'POST', { fileInfo: info })
}

/** Pictures of this server only, so that the page contacts no other host. */
export function isOwnPicture(mime: string, url: string): boolean {
  return mime.startsWith('image/') && /^\/(?!\/)/.test(url)
}

export function toFileLink({ id, name, url, mime }: MediaFile): EntryLink {
  return { id, label: name, url, mime }
}

/** The file as far as a link knows it. */
export function toFile({ id, label, url = '', mime = '' }: EntryLink): MediaFile {
  return { id, name: label, url, mime }
}

/** `PNG · 640 × 480 · 12.3 kB`. */
export function describeFile({ name, mime, size, width, height }: MediaFile): string {
  const kind = /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? mime.split('/')[1] ?? ''
  return [
    kind,
    typeof width === 'number' && typeof height === 'number' ? `${width} × ${height}` : '',
    typeof size === 'number' ? formatSize(size) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function formatSize(kilobytes: number): string {
  const format = (size: number, digits: Intl.NumberFormatOptions): string =>
    size.toLocaleString(getLanguage(), digits)
  return kilobytes < 1000
    ? `${format(kilobytes, { maximumFractionDigits: 2 })} kB`
    : `${format(kilobytes / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`
}
