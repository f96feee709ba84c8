// Finds the wrongly indented line by comparing columns, since the parser often reports a neighbour or a much
// later line.

export interface Line {
  readonly start: number
  readonly end: number
  readonly column: number
  readonly text: string
}

const WORD = /(?:[^\s'"{}[\]#&*!|>%@`,:-][^:#]*|'[^']*'|"[^"]*")/.source
const KEY = new RegExp(`^(?:- +)*${WORD}:(?:\\s|$)`)
const COMPLETE = new RegExp(`^(?:- +)*${WORD}: +[^\\s#|>&!]`)

const KEY_ALONE = new RegExp(`^(?:- +)*${WORD}:(?:\\s+#.*)?$`)

/** Skips empty lines, comments, and continuations of block text or brackets. */
function buildStructure(text: string): readonly Line[] {
  const lines: Line[] = []
  let offset = 0
  let depth = 0
  let textBelow = Number.POSITIVE_INFINITY
  for (const line of text.split('\n')) {
    const content = line.trim()
    const column = line.length - line.trimStart().length
    const inText = column > textBelow
    if (content !== '' && !content.startsWith('#') && !inText) {
      textBelow = /[|>][-+\d]*(?:\s+#.*)?$/.test(content) ? column : Number.POSITIVE_INFINITY
      const plain = content.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\s#.*$/g, '')
      if (depth === 0) {
        lines.push({ start: offset + column, end: offset + line.trimEnd().length, column, text: content })
      }
      const opened = (plain.match(/[{[]/g)?.length ?? 0) - (plain.match(/[}\]]/g)?.length ?? 0)
      depth = Math.max(0, depth + opened)
    }
    offset += line.length + 1
  }
  return lines
}

export function findOddIndent(text: string): Line | undefined {
  const lines = buildStructure(text)
  const step = usualStep(lines)
  const open: OpenedBlock[] = []
  let before: Line | undefined
  let last: Line | undefined
  for (const line of lines) {
    const { column } = line
    if (last !== undefined && column > last.column && !mayHold(last, column)) {
      if (!KEY.test(line.text)) continue
      if (before?.column === last.column && KEY_ALONE.test(before.text)) return last
      return shallowLast(open, last, column, step) ?? line
    }
    while (open.length > 1 && (open.at(-1)?.column ?? 0) > column) {
      const [parent, first] = open.slice(-2)
      if (parent !== undefined && first !== undefined && parent.column < column) {
        return betweenColumns(lines, open.at(-3), parent, first, line, step)
      }
      open.pop()
    }
    const top = open.at(-1)
    if (top !== undefined && column < top.column) return top.line
    const isList = top !== undefined && top.column === top.line.column && isItem(top.line)
    if (isList && top.column === column && !isItem(line)) return line
    if (top === undefined || column > top.column) open.push({ column, line })
    const item = /^(?:- +)+/.exec(line.text)?.[0].length ?? 0
    if (item > 0 && KEY.test(line.text)) open.push({ column: column + item, line })
    before = last
    last = line
  }
  return undefined
}

interface OpenedBlock {
  readonly column: number
  readonly line: Line
}

function betweenColumns(
  lines: readonly Line[],
  outer: OpenedBlock | undefined,
  parent: OpenedBlock,
  first: OpenedBlock,
  line: Line,
  step: number,
): Line {
  const isRight = (from: OpenedBlock, column: number): boolean => column - from.column === step
  if (outer !== undefined && isRight(outer, line.column) && !isRight(outer, parent.column)) return parent.line
  if (!isRight(parent, line.column)) return line
  // Two steps inside: the key of these lines stands a step too far left.
  const key = lines[lines.indexOf(first.line) - 1]
  return first.column - line.column === step && key !== undefined ? key : first.line
}

function isItem({ text }: Line): boolean {
  return text.startsWith('- ')
}

function mayHold({ text, column }: Line, deeper: number): boolean {
  const item = /^(?:- +)+/.exec(text)?.[0].length ?? 0
  if (item > 0 && deeper === column + item) return true
  return !COMPLETE.test(text)
}

function shallowLast(
  open: readonly OpenedBlock[],
  last: Line,
  column: number,
  step: number,
): Line | undefined {
  const parent = open.findLast((one) => one.column < last.column)
  if (parent === undefined || open.at(-1)?.line !== last) return undefined
  return column - parent.column === step && last.column - parent.column !== step ? last : undefined
}

function usualStep(lines: readonly Line[]): number {
  const counts = new Map<number, number>()
  for (const [index, { column }] of lines.entries()) {
    const deeper = column - (lines[index - 1]?.column ?? column)
    if (deeper > 0) counts.set(deeper, (counts.get(deeper) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 2
}

/** `title string` or `attributes`. */
export function findKeyWithoutColon(
  text: string,
  offset: number,
): { readonly key: string; readonly line: Line } | undefined {
  const line = buildStructure(text).findLast(({ start }) => start <= offset)
  const key = /^([A-Za-z_$][\w.-]*)(?: [^:#]*)?(?:\s#.*)?$/.exec(line?.text ?? '')?.[1]
  return line === undefined || key === undefined ? undefined : { key, line }
}
