// Text as it stands in a URL: lower case, accents removed, words joined by hyphens.

import { plainLetters } from './plain-letters.ts'

const LONGEST = 200
const LETTERS: Readonly<Record<string, string>> = { ...plainLetters, '&': ' and ' }

export function slugify(text: string): string {
  return text
    .slice(0, LONGEST * 2)
    .toLowerCase()
    .replace(/[ßæøœđðþł&]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
}
