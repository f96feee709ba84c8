// The data of a file's entry.

import { invariant } from '../../lib/errors/invariant.ts'
import { buildRecord } from '../../lib/is-record.ts'
import type { FileInfo } from '../../write/file-intake.ts'
import type { ImageFormat } from './images.ts'

/** Missing texts are null. */
export function getInfoData({
  alternativeText,
  caption,
  focalPoint,
}: FileInfo): Readonly<Record<string, unknown>> {
  return {
    alternativeText: alternativeText ?? null,
    caption: caption ?? null,
    ...(focalPoint !== undefined && { focalPoint }),
  }
}

export function formatData(
  { name: format, width, height, bytes }: ImageFormat,
  of: { hash: string; name: string; ext: string; mime: string; url: string },
): Readonly<Record<string, unknown>> {
  return {
    name: `${format}_${of.name}`,
    hash: of.hash,
    ext: of.ext,
    mime: of.mime,
    path: null,
    width,
    height,
    size: toKilobytes(bytes.length),
    sizeInBytes: bytes.length,
    url: of.url,
  }
}

/** In units of 1000 bytes, with two decimals. */
export function toKilobytes(bytes: number): number {
  return Math.round((bytes / 1000) * 100) / 100
}

/** Includes the formats. */
export function listKeys(file: Readonly<Record<string, unknown>>): readonly string[] {
  const { hash, ext, formats } = file
  invariant(typeof hash === 'string', 'a file has a hash')
  const keys = [`${hash}${typeof ext === 'string' ? ext : ''}`]
  for (const format of Object.values(buildRecord(formats))) {
    const { hash: own, ext: ending } = format as { readonly hash?: unknown; readonly ext?: unknown }
    if (typeof own === 'string') keys.push(`${own}${typeof ending === 'string' ? ending : ''}`)
  }
  return keys
}
