// Turns text into a slug for URLs: letters of all scripts in Latin, in lower case, words joined by hyphens.

import anyAscii from 'any-ascii'

const LONGEST = 200

/** Returns an empty text when there are neither letters nor digits. */
export function slugify(text: string): string {
  return anyAscii(
    text
      .slice(0, LONGEST * 2)
      .normalize('NFC')
      // Each Chinese character is transliterated as a word.
      .replace(/\p{Script=Han}/gu, ' $& '),
  )
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['"`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '')
}
