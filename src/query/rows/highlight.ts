// Marks the terms of a search in a text: `a <mark>red</mark> lamp`. The text is escaped, so that it is safe as HTML.

import { escapeHtml } from '../../lib/escape-html.ts'

/** Characters of a highlighted part of a text. */
const MAX_LENGTH = 200

/** The text around the first occurrence, with `…` where it is cut; undefined without an occurrence. */
export function highlight(text: string, terms: readonly string[]): string | undefined {
  const folded = foldCase(text)
  const foldedTerms = terms.map(foldCase)
  const first = findFirst(folded, foldedTerms)
  if (first === undefined) return undefined
  const { start, end } = choosePart(text, first)
  let written = start > 0 ? '…' : ''
  let at = start
  for (const mark of findMarks(folded.slice(start, end), foldedTerms)) {
    const marked = text.slice(start + mark.start, start + mark.end)
    written += `${escapeHtml(text.slice(at, start + mark.start))}<mark>${escapeHtml(marked)}</mark>`
    at = start + mark.end
  }
  return written + escapeHtml(text.slice(at, end)) + (end < text.length ? '…' : '')
}

interface Range {
  readonly start: number
  readonly end: number
}

function findFirst(folded: string, terms: readonly string[]): Range | undefined {
  let first: Range | undefined
  for (const term of terms) {
    const start = folded.indexOf(term)
    if (start !== -1 && (first === undefined || start < first.start))
      first = { start, end: start + term.length }
  }
  return first
}

/** In order; those that overlap or touch become one. */
function findMarks(part: string, terms: readonly string[]): readonly Range[] {
  const found: Range[] = []
  for (const term of terms) {
    for (let start = part.indexOf(term); start !== -1; start = part.indexOf(term, start + term.length))
      found.push({ start, end: start + term.length })
  }
  const marks: { start: number; end: number }[] = []
  for (const { start, end } of found.sort((a, b) => a.start - b.start)) {
    const last = marks.at(-1)
    if (last === undefined || start > last.end) marks.push({ start, end })
    else last.end = Math.max(last.end, end)
  }
  return marks
}

/** A third of the part is before the first mark; words stay whole where there are spaces near. */
function choosePart(text: string, first: Range): Range {
  if (text.length <= MAX_LENGTH) return { start: 0, end: text.length }
  const wished = Math.max(0, Math.min(first.start - Math.floor(MAX_LENGTH / 3), text.length - MAX_LENGTH))
  const start = wished === 0 ? 0 : afterSpace(text, wished, first.start)
  const last = Math.max(first.end, Math.min(text.length, start + MAX_LENGTH))
  return { start, end: last === text.length ? last : beforeSpace(text, last, first.end) }
}

/** Behind the first space from `at`, if it is before `limit`; never inside a pair of surrogates. */
function afterSpace(text: string, at: number, limit: number): number {
  const space = text.slice(at, limit).search(/\s/)
  return space === -1 ? wholeCharacter(text, at) : at + space + 1
}

function beforeSpace(text: string, at: number, limit: number): number {
  const space = text.slice(limit, at).search(/\s\S*$/)
  return space === -1 ? wholeCharacter(text, at) : limit + space
}

function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at
}

/** Only ASCII letters, as the databases do. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
