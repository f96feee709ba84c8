// Checks the name of a sent file and makes the name under which it is stored.

import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '../../lib/errors/api-error.ts'
import { plainLetters } from '../../lib/plain-letters.ts'

const MAX_NAME_LENGTH = 1000
/**
 * Prefix (`thumbnail_`), random part and extension also count towards the 255 bytes that file systems allow.
 */
const MAX_BASE_LENGTH = 180

/** Path separators, control characters, and characters that change the direction of text. */
const FORBIDDEN = /[/\\\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/** Throws ApplicationError, as Strapi does. */
export function checkFileName(name: string): string {
  if (name.trim() === '' || name === '.' || name === '..' || FORBIDDEN.test(name)) {
    throw new ApiError('ApplicationError', 'File name contains invalid characters')
  }
  if (name.length > MAX_NAME_LENGTH) {
    throw new ApiError('ApplicationError', `File name is longer than ${MAX_NAME_LENGTH} characters`)
  }
  return name
}

const LETTERS: Readonly<Record<string, string>> = {
  ...plainLetters,
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  Þ: 'TH',
}

/**
 * `Ünï cödé #1.txt` -> `Ueni_coede_1_0a1b2c3d4e`: the random suffix cannot be guessed; with a salt, it is
 * always the same.
 */
export function hashFor(name: string, extension: string, salt?: string): string {
  const base =
    extension !== '' && name.endsWith(extension) ? name.slice(0, -extension.length) : withoutEnding(name)
  const safe = base
    .slice(0, MAX_BASE_LENGTH * 2)
    .normalize('NFC')
    .replace(/[^\0-\x7f]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, MAX_BASE_LENGTH)
    .replace(/^_+|_+$/g, '')
  const random = salt === undefined ? randomBytes(5).toString('hex') : computeDigest(salt)
  return safe === '' ? random : `${safe}_${random}`
}

function computeDigest(salt: string): string {
  return createHash('sha256').update(salt).digest('hex').slice(0, 10)
}

function withoutEnding(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(0, dot) : name
}

/** Names that begin with a dot are never served. */
export function isKey(text: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,254}$/.test(text)
}
