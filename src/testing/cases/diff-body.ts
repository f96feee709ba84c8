// Shows the difference of two bodies like YAML: expected lines, received lines, and enough context to find
// them.

import { isRecord } from '../../lib/is-record.ts'
import { toPrintable } from '../../lib/printable.ts'
import { matches } from './match-body.ts'

export interface DiffLine {
  /** `-`: expected; `+`: received; ` `: both. */
  readonly mark: '-' | '+' | ' '
  readonly text: string
}

const MAX_LINES = 60
/** Lines of a value that is on one side only. */
const MAX_LINES_OF_VALUE = 12
const MAX_TEXT_LENGTH = 160
const MAX_PAIRS = 10_000

export function getDiff(expected: unknown, found: unknown): readonly DiffLine[] {
  const lines = compared('', expected, found, 0)
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES), { mark: ' ', text: `… ${lines.length - MAX_LINES} more lines` }]
}

function compared(head: string, expected: unknown, found: unknown, depth: number): readonly DiffLine[] {
  const inner = depth + (head === '' ? 0 : 1)
  if (matches(expected, found)) return [both(head + (isScalar(expected) ? shown(found) : '…'), depth)]
  if (isRecord(expected) && isRecord(found)) {
    const parts = Object.entries(expected).map(([key, value]) => ({
      alike: matches(value, found[key]),
      lines: compared(`${shown(key)}: `, value, found[key], inner),
    }))
    return under(head, folded(parts, inner), depth)
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    const parts = listPairs(expected, found).map((pair) => {
      if (pair.found === undefined) return { alike: false, lines: one('-', '- ', pair.expected, inner) }
      if (pair.expected === undefined) return { alike: false, lines: one('+', '- ', pair.found, inner) }
      return {
        alike: matches(pair.expected, pair.found),
        lines: compared('- ', pair.expected, pair.found, inner),
      }
    })
    return under(head, folded(parts, inner), depth)
  }
  return [...one('-', head, expected, depth), ...one('+', head, found, depth)]
}

interface Part {
  readonly alike: boolean
  readonly lines: readonly DiffLine[]
}

function folded(parts: readonly Part[], depth: number): readonly DiffLine[] {
  const lines: DiffLine[] = []
  for (let at = 0; at < parts.length; ) {
    let end = at
    while (parts[end]?.alike === true) end += 1
    const shownUntil = end - at > 3 ? at + 2 : Math.max(end, at + 1)
    lines.push(...parts.slice(at, shownUntil).flatMap((part) => part.lines))
    if (end > shownUntil) lines.push(both(`… ${end - shownUntil} more alike`, depth))
    at = Math.max(end, shownUntil)
  }
  return lines
}

function under(head: string, lines: readonly DiffLine[], depth: number): readonly DiffLine[] {
  if (head === '') return lines
  const [first, ...rest] = lines
  if (head === '- ' && first?.mark === ' ') return [both(`- ${first.text.trimStart()}`, depth), ...rest]
  return [both(head.trimEnd(), depth), ...lines]
}

function both(text: string, depth: number): DiffLine {
  return { mark: ' ', text: `${'  '.repeat(depth)}${text}` }
}

function one(mark: '-' | '+', head: string, value: unknown, depth: number): readonly DiffLine[] {
  if (value === undefined) return []
  const lines = written(head, value, depth)
  const shownLines =
    lines.length <= MAX_LINES_OF_VALUE
      ? lines
      : [...lines.slice(0, MAX_LINES_OF_VALUE), `${'  '.repeat(depth + 1)}…`]
  return shownLines.map((text) => ({ mark, text }))
}

function written(head: string, value: unknown, depth: number): string[] {
  const indent = '  '.repeat(depth)
  const inner = depth + 1
  const parts = Array.isArray(value)
    ? value.flatMap((member) => written('- ', member, inner))
    : isRecord(value)
      ? Object.entries(value).flatMap(([key, member]) => written(`${shown(key)}: `, member, inner))
      : []
  const [first, ...rest] = parts
  if (first === undefined) return [`${indent}${head}${Array.isArray(value) ? '[]' : shown(value)}`]
  if (head === '- ') return [`${indent}- ${first.trimStart()}`, ...rest]
  return head === '' ? parts : [`${indent}${head.trimEnd()}`, ...parts]
}

function isScalar(value: unknown): boolean {
  return !Array.isArray(value) && !isRecord(value)
}

/** Plain where YAML reads the same text, else as JSON. */
function shown(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return isRecord(value) ? '{}' : JSON.stringify(value)
  const short = value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value
  const plain =
    /^[\p{L}<$_][\p{L}\p{N} .,;!?()<>&$%/+_-]*$/u.test(short) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(short)
  return plain && short === short.trim() ? short : toPrintable(JSON.stringify(short))
}

/** Undefined: the list has no counterpart; JSON has no such value. */
interface Pair {
  readonly expected: unknown
  readonly found: unknown
}

/**
 * Pairs list items: the longest sequence of matching items keeps its order, so that one added item is one
 * difference. Items between two matches are compared in order.
 */
function listPairs(expected: readonly unknown[], found: readonly unknown[]): readonly Pair[] {
  if (expected.length * found.length > MAX_PAIRS) return inOrder(expected, found)
  const width = found.length + 1
  const right = expected.map((member) => found.map((other) => matches(member, other)))
  const longest = new Uint16Array((expected.length + 1) * width)
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0
  for (let row = expected.length - 1; row >= 0; row--)
    for (let column = found.length - 1; column >= 0; column--)
      longest[row * width + column] = right[row]?.[column]
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
  const result: Pair[] = []
  let [row, column, rowFrom, columnFrom] = [0, 0, 0, 0]
  while (row < expected.length && column < found.length) {
    if (right[row]?.[column]) {
      result.push(...inOrder(expected.slice(rowFrom, row), found.slice(columnFrom, column)), {
        expected: expected[row],
        found: found[column],
      })
      row += 1
      column += 1
      rowFrom = row
      columnFrom = column
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  }
  return [...result, ...inOrder(expected.slice(rowFrom), found.slice(columnFrom))]
}

function inOrder(expected: readonly unknown[], found: readonly unknown[]): readonly Pair[] {
  return Array.from({ length: Math.max(expected.length, found.length) }, (_, index) => ({
    expected: expected[index],
    found: found[index],
  }))
}
