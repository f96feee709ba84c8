// Turns text into a slug: letters of all scripts in Latin, in lower case, words joined by hyphens.

import { createRequire } from 'node:module'

const MAX_SLUG_LENGTH = 200

let loaded: ((text: string) => string) | undefined

/** Loads half a megabyte of tables only for text beyond accented Latin letters. */
function anyAscii(text: string): string {
  const plain = text.replace(/[\u00C0-\u017F]/g, withoutAccent)
  if (/^[\0-\x7F]*$/.test(plain)) return plain
  loaded ??= (createRequire(import.meta.url)('any-ascii') as typeof import('any-ascii')).default
  return loaded(plain)
}

function withoutAccent(letter: string): string {
  const [base = letter] = letter.normalize('NFD')
  return base <= '\x7F' ? base : letter
}

/** Returns an empty text when there are neither letters nor digits. */
export function slugify(text: string): string {
  return anyAscii(
    text
      .slice(0, MAX_SLUG_LENGTH * 2)
      .normalize('NFC')
      // Each Chinese character is transliterated as a word.
      .replace(/\p{Script=Han}/gu, ' $& '),
  )
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['"`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-+$/, '')
}
