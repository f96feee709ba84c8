// Reads `fileInfo`, the information about files that clients may set.

import { parseJson } from '../../http/body/parse-json.ts'
import { type ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { FileInfo, FocalPoint } from '../../write/file-intake.ts'
import { checkFileName } from './file-names.ts'

export function parseInfo(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw wrongInfo(text)
  }
}

export function listInfos(value: unknown, fileType: ContentType): readonly FileInfo[] {
  return (Array.isArray(value) ? value : [value]).map((info) => readInfo(info, fileType))
}

/** Other properties are ignored, because clients must not set them. */
export function readInfo(value: unknown, fileType: ContentType): FileInfo {
  if (!isRecord(value)) throw wrongInfo(value)
  const focalPoint = getOwn(value, 'focalPoint')
  return {
    ...readTexts(value),
    ...(focalPoint !== undefined &&
      fileType.attributes.has('focalPoint') && { focalPoint: readFocalPoint(focalPoint) }),
  }
}

const MAX_TEXT_LENGTH = 10_000

function readTexts(value: Readonly<Record<string, unknown>>): FileInfo {
  const texts: Record<string, string | null> = {}
  for (const key of ['name', 'alternativeText', 'caption'] as const) {
    const text = getOwn(value, key)
    if (text === undefined) continue
    if (text !== null && typeof text !== 'string') throw wrongProperty(key, 'must be a string')
    if (text !== null && text.length > MAX_TEXT_LENGTH)
      throw wrongProperty(key, `must be at most ${MAX_TEXT_LENGTH} characters`)
    if (text?.includes('\0') === true) throw wrongProperty(key, 'must not hold NUL')
    texts[key] = key === 'name' && text !== null ? checkFileName(text) : text
  }
  return texts
}

const MAX_PERCENT = 100

function readFocalPoint(value: unknown): FocalPoint | null {
  if (value === null) return null
  if (isRecord(value) && Object.keys(value).length === 2) {
    const [x, y] = [getOwn(value, 'x'), getOwn(value, 'y')]
    if (isPercent(x) && isPercent(y)) return { x, y }
  }
  throw wrongProperty(
    'focalPoint',
    `must be null or have x and y from 0 to ${MAX_PERCENT} and nothing else, such as {"x":50,"y":50}`,
  )
}

function isPercent(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PERCENT
}

function getOwn(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function wrongInfo(value: unknown): ApiError {
  const shown = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 100)
  const message = `fileInfo must be an object such as {"name":"a.png","caption":"…"}, not ${shown}`
  return createValidationErrors([{ path: ['fileInfo'], message, name: 'ValidationError' }])
}

function wrongProperty(key: string, rule: string): ApiError {
  const message = `fileInfo.${key} ${rule}`
  return createValidationErrors([{ path: ['fileInfo', key], message, name: 'ValidationError' }])
}
