// Shows a line with carets under a position. It masks secrets and replaces invisible characters, which could
// disturb the terminal.

import { LineIndex } from './yaml/line-index.ts'
import type { SourceLocation, SourceText } from './yaml/source-text.ts'

interface CodeFrame {
  readonly line: string
  readonly marks: string
}

/** Terminal columns; longer lines are cut. */
const widest = 100
const before = 40

const indexes = new WeakMap<SourceText, LineIndex>()

/** Undefined for an empty line, or a file that could not be read. */
export function buildCodeFrame({ source, start, end }: SourceLocation): CodeFrame | undefined {
  const index = indexes.get(source) ?? new LineIndex(source.text)
  indexes.set(source, index)
  const text = index.lineAt(start.line)
  if (text.trim() === '') return undefined
  const from = start.column - 1
  const to = end.line > start.line ? text.trimEnd().length : end.column - 1
  const cells = listCells(text, index.getStart(start.line), source.secretRanges())
  return cut(cells, from, Math.max(to, from + 1))
}

interface Cell {
  readonly start: number
  readonly end: number
  readonly shown: string
  readonly width: number
}

function listCells(text: string, offset: number, secrets: readonly (readonly [number, number])[]): Cell[] {
  const cells: Cell[] = []
  let at = 0
  while (at < text.length) {
    const secret = secrets.find(([start, end]) => start <= offset + at && offset + at < end)
    if (secret !== undefined) {
      const end = Math.min(secret[1] - offset, text.length)
      cells.push({ start: at, end, shown: '***', width: 3 })
      at = end
      continue
    }
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    const shown = visible(character)
    cells.push({ start: at, end: at + character.length, shown, width: getWidth(shown) })
    at += character.length
  }
  return cells
}

function cut(cells: readonly Cell[], from: number, to: number): CodeFrame {
  const total = cells.reduce((sum, { width }) => sum + width, 0)
  let first = 0
  if (total > widest) {
    let lead = 0
    first = cells.findIndex(({ end }) => end > from)
    if (first === -1) first = cells.length
    while (first > 0 && lead < before) lead += cells[--first]?.width ?? 0
  }
  let line = first > 0 ? '…' : ''
  let marks = first > 0 ? ' ' : ''
  let width = line.length
  for (const cell of cells.slice(first)) {
    if (width + cell.width > widest) {
      line += '…'
      break
    }
    line += cell.shown
    marks += (cell.end > from && cell.start < to ? '^' : ' ').repeat(cell.width)
    width += cell.width
  }
  const carets = marks.trimEnd()
  return { line, marks: carets.includes('^') ? carets : `${' '.repeat(width)}^` }
}

// Also characters that change the direction of the text.
const INVISIBLE = /\p{Cc}|[\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/u

function visible(character: string): string {
  if (character === '\t') return ' '
  return INVISIBLE.test(character) ? '�' : character
}

// East Asian wide characters and emoji take two columns, combining marks none.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

function getWidth(character: string): number {
  if (/\p{Mark}/u.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}
