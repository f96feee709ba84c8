// Parses the search language of content-types with `index: text`: words, "quoted words", and -words that must
// be missing.

import { createTooMuch, planLimits } from './planning.ts'

export interface SearchTerm {
  readonly text: string
  readonly excluded: boolean
}

/** A quote that is not closed reaches to the end; a minus alone is a word. */
const TERM = /(-?)"([^"]*)(?:"|$)|(-?)(\S+)/g

/** Throws ValidationError if there are too many terms. */
export function parseSearchTerms(search: string): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, quotedMinus, quoted, minus, word = ''] of search.matchAll(TERM)) {
    const text = quoted === undefined ? word : quoted.trim()
    if (text !== '') terms.push({ text, excluded: (quotedMinus ?? minus) === '-' })
  }
  if (terms.length > planLimits.searchTerms) throw createTooMuch('words in _q', planLimits.searchTerms)
  return terms
}
