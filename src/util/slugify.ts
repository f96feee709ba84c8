// Text as it stands in a URL: lower case, accents removed, words joined by hyphens.

const LONGEST = 200
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  '&': ' and ',
}

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
