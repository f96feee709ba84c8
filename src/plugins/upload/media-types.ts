// Determines the stored and the served media type of a file; refuses files whose name, declared type and
// content disagree.

import { extname } from 'node:path'
import { ApiError } from '../../lib/errors/api-error.ts'

/** Other files are served as binary downloads. */
const served: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  heic: 'image/heic',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  md: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
}

/** Extensions of types that a browser runs, with the types that such a file may have. */
const active: Readonly<Record<string, RegExp>> = {
  ...family(['html', 'htm', 'shtml', 'xhtml', 'xht', 'mhtml', 'hta'], /html/),
  ...family(['svg', 'svgz'], /^image\/svg\+xml$/),
  ...family(['xml', 'xsl', 'xslt', 'rdf', 'rss', 'atom'], /xml/),
  ...family(['js', 'mjs', 'cjs'], /(java|ecma)script/),
  ...family(['swf'], /flash/),
}

function family(endings: readonly string[], types: RegExp): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(endings.map((ending) => [ending, types]))
}

const ACTIVE_TYPE = /html|xml|(java|ecma)script|flash/

/** Includes the dot; empty if the extension is missing or unsafe in a path. */
export function getExtension(filename: string): string {
  const extension = extname(filename)
  return /^\.[A-Za-z0-9]{1,16}$/.test(extension) ? extension : ''
}

export function getTypeExtension(mime: string): string {
  const known = Object.entries(served).find(([, type]) => type.split(';')[0] === mime)
  return known === undefined ? '' : `.${known[0]}`
}

interface Delivery {
  readonly contentType: string
  readonly attachment: boolean
}

export function buildDelivery(key: string): Delivery {
  const ending = extname(key).slice(1).toLowerCase()
  const contentType = Object.hasOwn(served, ending) ? served[ending] : undefined
  if (contentType === undefined) return { contentType: 'application/octet-stream', attachment: true }
  return { contentType, attachment: Object.hasOwn(active, ending) }
}

export function isActive(extension: string, mime: string): boolean {
  return Object.hasOwn(active, extension.slice(1).toLowerCase()) || ACTIVE_TYPE.test(mime)
}

/** Throws ApiError if content, name and declared type disagree. */
export function getMediaType(
  filename: string,
  claimed: string,
  sniffed: string | undefined,
  head: Uint8Array,
): string {
  const mime = believed(filename, claimed, sniffed, head)
  const ending = getExtension(filename).slice(1).toLowerCase()
  const allowed = Object.hasOwn(active, ending) ? active[ending] : undefined
  if (allowed !== undefined && !allowed.test(mime)) {
    throw disagreement(filename, `its name ends in .${ending}, and it is ${mime}`)
  }
  return mime
}

function believed(filename: string, claimed: string, sniffed: string | undefined, head: Uint8Array): string {
  if (claimed === 'application/octet-stream') {
    // Without a declared type, the extension counts as the declaration.
    const { contentType } = buildDelivery(filename)
    return (
      sniffed ??
      (contentType === claimed ? claimed : believed(filename, contentType.split(';')[0] ?? '', sniffed, head))
    )
  }
  if (claimed === 'image/svg+xml') {
    if (/<svg[\s>]/i.test(Buffer.from(head).toString('utf8'))) return claimed
    throw disagreement(filename, 'it is sent as image/svg+xml, and holds no <svg>')
  }
  const [kind] = claimed.split('/', 1)
  if (kind === 'image' || claimed === 'application/pdf') {
    // Within one kind the content decides: many files named .png are JPEGs.
    if (sniffed !== undefined && sniffed.split('/', 1)[0] === claimed.split('/', 1)[0]) return sniffed
    throw disagreement(filename, `it is sent as ${claimed}, and its content is ${sniffed ?? 'not'}`)
  }
  if (
    (kind === 'video' || kind === 'audio') &&
    (sniffed === undefined ? isMarkup(head) : !isPlayed(sniffed))
  ) {
    throw disagreement(filename, `it is sent as ${claimed}, and its content is ${sniffed ?? 'text'}`)
  }
  return claimed
}

function isPlayed(mime: string): boolean {
  return /^(?:video|audio)\/|^application\/(?:ogg|mp4|vnd\.apple\.mpegurl)$/.test(mime)
}

function isMarkup(head: Uint8Array): boolean {
  return /^\s*</.test(Buffer.from(head).toString('latin1'))
}

/** A pattern is `image/*` or a whole type; an empty list allows all types. */
export function isAllowedType(mime: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true
  return patterns.some((pattern) =>
    pattern.endsWith('/*') ? mime.startsWith(pattern.slice(0, -1)) : pattern === mime || pattern === '*/*',
  )
}

function disagreement(filename: string, reason: string): ApiError {
  return new ApiError('ValidationError', `The file "${filename}" is refused: ${reason}`)
}
