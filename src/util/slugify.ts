// Text as it stands in a URL: Latin letters for those of every script, small, words joined by hyphens.

import anyAscii from 'any-ascii'

const LONGEST = 200

/** Empty where the text has neither letters nor digits. */
export function slugify(text: string): string {
  return anyAscii(
    text
      .slice(0, LONGEST * 2)
      .normalize('NFC')
      // Each Chinese character is a syllable with a name of its own.
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
