// Finds the line whose indentation is wrong, where the parser stumbles over a neighbour of it.

interface Line {
  /** The offset of its first character that is no space. */
  readonly start: number
  /** The offset behind its last character that is no space. */
  readonly end: number
  readonly column: number
  readonly text: string
}

/** The lines that say something: neither empty nor only a comment. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = []
  let offset = 0
  for (const line of text.split('\n')) {
    const content = line.trim()
    const column = line.length - line.trimStart().length
    if (content !== '' && !content.startsWith('#')) {
      lines.push({ start: offset + column, end: offset + line.trimEnd().length, column, text: content })
    }
    offset += line.length + 1
  }
  return lines
}

type Range = readonly [start: number, end: number]

/**
 * For a value at `offset` in which a second "key: value" begins: the line after it, when that is indented deeper though
 * the line of the value is complete. Undefined when both stand in one line, or the value's line is no "key: value".
 */
export function lineTooDeep(text: string, offset: number): Range | undefined {
  const lines = linesOf(text)
  const at = lines.findLastIndex(({ start }) => start <= offset)
  const [line, next] = [lines[at], lines[at + 1]]
  if (line === undefined || next === undefined || next.column <= line.column) return undefined
  return COMPLETE.test(line.text) && KEY.test(next.text) ? [next.start, next.end] : undefined
}

const KEY = /^(?:- +)*(?:[^\s'"{}[\]#&*!|>%@`,:-][^:#]*|'[^']*'|"[^"]*"):(?:\s|$)/
/** A key with a value behind it on the same line. */
const COMPLETE = /^(?:- +)*(?:[^\s'"{}[\]#&*!|>%@`,:-][^:#]*|'[^']*'|"[^"]*"): +[^\s#|>]/

/**
 * For a line that stands in another column than those before it: the first of its neighbours, when that one is
 * indented unlike the rest of the file, and the line itself like it.
 */
export function firstNeighbourOff(text: string, offset: number): Range | undefined {
  const lines = linesOf(text)
  const at = lines.findIndex(({ end }) => end > offset)
  const line = lines[at]
  if (line === undefined) return undefined
  const first = tooDeep(lines, at, line) ?? tooShallow(lines, at)
  if (first === undefined) return undefined
  const above = lines.findLast(({ start, column }) => start < first.start && column < first.column)
  const parent = above !== undefined && above.column >= line.column ? undefined : above
  const step = usualStep(lines)
  if (parent === undefined || line.column - parent.column !== step) return undefined
  return first.column - parent.column === step ? undefined : [first.start, first.end]
}

/** The first of the lines above that are deeper than the line, up to one that it may belong to. */
function tooDeep(lines: readonly Line[], at: number, line: Line): Line | undefined {
  const parent = lines.findLastIndex((one, index) => index < at && one.column < line.column)
  const first = lines[parent + 1]
  return parent >= 0 && first !== undefined && first.column > line.column ? first : undefined
}

/** The line above, when it is complete and so cannot have the line below it. */
function tooShallow(lines: readonly Line[], at: number): Line | undefined {
  const first = lines[at - 1]
  return first !== undefined && COMPLETE.test(first.text) ? first : undefined
}

/** The key of a line that lacks its ":", as in `title string` or `attributes`. */
export function keyWithoutColon(
  text: string,
  offset: number,
): { readonly key: string; readonly range: Range } | undefined {
  const line = linesOf(text).findLast(({ start }) => start <= offset)
  const key = /^([A-Za-z_$][\w.-]*)(?: [^:]*)?$/.exec(line?.text ?? '')?.[1]
  return line === undefined || key === undefined ? undefined : { key, range: [line.start, line.end] }
}

/** By how many spaces most lines are deeper than the one before. */
function usualStep(lines: readonly Line[]): number {
  const counts = new Map<number, number>()
  for (const [index, { column }] of lines.entries()) {
    const deeper = column - (lines[index - 1]?.column ?? column)
    if (deeper > 0) counts.set(deeper, (counts.get(deeper) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 2
}
