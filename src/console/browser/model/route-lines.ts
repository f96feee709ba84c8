// Leads the lines of a diagram from the row of an attribute to its target, through the gaps between the boxes.

import { groupBy } from '../../../lib/group-by.ts'
import { type Box, type Cardinality, HEAD, type Line, type Mark, type Point, ROW } from './drawing.ts'

export interface Link {
  readonly from: string
  readonly to: string
  /** The attribute at which the line begins. */
  readonly row: number
  /** The attribute of the other side; undefined: the line ends at the header. */
  readonly targetRow: number | undefined
  readonly label: string
  readonly start: Cardinality | undefined
  readonly end: Cardinality
}

interface Column {
  readonly center: number
  readonly left: number
  readonly right: number
}

/** Where the cardinality stands beside the end of a line. */
type MarkPlace = 'above' | 'below' | 'none'

/** The straight piece at each end, which holds the arrow and the cardinality. */
const STUB = 16
const LOOP = 52
const MAX_LOOP = 88

/**
 * `points`: where dagre led each link. Within a column a line keeps to the height that dagre left free for it, and only
 * between columns it changes its height, so that it crosses no box.
 */
export function routeLines(
  boxes: readonly Box[],
  links: readonly Link[],
  points: readonly (readonly Point[])[],
): readonly Line[] {
  const columns = listColumns(boxes)
  const byUid = new Map(boxes.map((box) => [box.schema.uid, box]))
  const loops = new Map<string, number>()
  const ends = spreadEnds(links, byUid, points)
  return links.flatMap((link, index) => {
    const from = byUid.get(link.from)
    const to = byUid.get(link.to)
    if (from === undefined || to === undefined) return []
    const startY = getRowHeight(from, link.row)
    const { y: endY = getRowHeight(to, link.targetRow), mark = 'above' } = ends.get(index) ?? {}
    const { from: uid, to: target, label } = link
    if (from === to) {
      const count = loops.get(uid) ?? 0
      loops.set(uid, count + 1)
      const right = from.x + from.width
      const out = right + Math.min(LOOP + count * 12, MAX_LOOP)
      const curve = [
        { x: right, y: startY },
        { x: out, y: startY },
        { x: out, y: endY },
        { x: right, y: endY },
      ]
      return [{ from: uid, to: target, label, curve, marks: listMarks(link, curve, 1, 1, mark) }]
    }
    const side = getCenter(to) > getCenter(from) ? 1 : -1
    const curve = leadThrough(columns, points[index] ?? [], [
      { x: side > 0 ? from.x + from.width : from.x, y: startY },
      { x: side > 0 ? to.x : to.x + to.width, y: endY },
    ])
    return [{ from: uid, to: target, label, curve, marks: listMarks(link, curve, side, -side, mark) }]
  })
}

function listColumns(boxes: readonly Box[]): readonly Column[] {
  return [...groupBy(boxes, (box) => Math.round(getCenter(box))).values()]
    .map((column) => ({
      center: getCenter(column[0] as Box),
      left: Math.min(...column.map(({ x }) => x)),
      right: Math.max(...column.map(({ x, width }) => x + width)),
    }))
    .toSorted((a, b) => a.center - b.center)
}

function leadThrough(
  columns: readonly Column[],
  points: readonly Point[],
  [start, end]: readonly [Point, Point],
): readonly Point[] {
  const isRight = end.x > start.x
  const ordered = isRight ? columns : columns.toReversed()
  const holds = ({ left, right }: Column, { x }: Point): boolean => left <= x + 1 && x - 1 <= right
  const first = ordered.findIndex((column) => holds(column, start))
  const last = ordered.findIndex((column) => holds(column, end))
  const curve: Point[] = [start]
  const goStraight = (x: number): void => {
    const { x: before, y } = curve.at(-1) ?? start
    curve.push({ x: (2 * before + x) / 3, y }, { x: (before + 2 * x) / 3, y }, { x, y })
  }
  const bend = (x: number, y: number): void => {
    const before = curve.at(-1) ?? start
    const middle = (before.x + x) / 2
    curve.push({ x: middle, y: before.y }, { x: middle, y }, { x, y })
  }
  const step = isRight ? STUB : -STUB
  const getExit = ({ left, right }: Column): number => (isRight ? right : left)
  const getEntry = ({ left, right }: Column): number => (isRight ? left : right)
  for (const [index, column] of ordered.entries()) {
    if (index < first || index > last) continue
    if (index === first) goStraight(getExit(column) + step)
    else if (index === last) bend(getEntry(column) - step, end.y)
    else {
      const free = points.find(({ x }) => Math.abs(x - column.center) < 1)
      if (free === undefined) continue
      bend(getEntry(column), free.y)
      goStraight(getExit(column))
    }
  }
  goStraight(end.x)
  return curve
}

/**
 * Lines that end at the same header are spread over its height, in the order in which they arrive; of equal marks
 * beside each other one is drawn.
 */
function spreadEnds(
  links: readonly Link[],
  boxes: ReadonlyMap<string, Box>,
  points: readonly (readonly Point[])[],
): ReadonlyMap<number, { readonly y: number; readonly mark: MarkPlace }> {
  const spread = new Map<number, { y: number; mark: MarkPlace }>()
  const atHeader = [...links.entries()].filter(([, { targetRow }]) => targetRow === undefined)
  const groups = groupBy(atHeader, ([, { from, to }]) => {
    const [source, target] = [boxes.get(from), boxes.get(to)]
    const isLeft = source !== undefined && target !== undefined && getCenter(source) < getCenter(target)
    return `${to} ${isLeft}`
  })
  for (const group of groups.values()) {
    const arrival = ([index, { from, row }]: (typeof group)[number]): number => {
      const source = boxes.get(from)
      return points[index]?.at(-2)?.y ?? (source === undefined ? 0 : getRowHeight(source, row))
    }
    const sorted = group.toSorted((a, b) => arrival(a) - arrival(b))
    const distance = Math.min(6, (HEAD - 10) / Math.max(1, sorted.length - 1))
    const other = sorted.findLastIndex(([, { end }]) => end !== sorted[0]?.[1].end)
    for (const [place, [index, { to }]] of sorted.entries()) {
      const target = boxes.get(to)
      if (target === undefined) continue
      const y = target.y + HEAD / 2 + (place - (sorted.length - 1) / 2) * distance
      spread.set(index, { y, mark: place === 0 ? 'above' : place === other ? 'below' : 'none' })
    }
  }
  return spread
}

/** `startSide`, `endSide`: 1 where the end is at the right of its box, else -1. */
function listMarks(
  { start, end }: Link,
  curve: readonly Point[],
  startSide: number,
  endSide: number,
  endPlace: MarkPlace,
): readonly Mark[] {
  const mark = (text: Cardinality, { x, y }: Point, side: number, place: MarkPlace): Mark => ({
    text,
    // Beyond the arrow.
    x: x + side * 9,
    y: place === 'below' ? y + 11 : y - 4,
    anchor: side > 0 ? 'start' : 'end',
  })
  const [first, last] = [curve[0], curve.at(-1)]
  return [
    ...(start === undefined || first === undefined ? [] : [mark(start, first, startSide, 'above')]),
    ...(last === undefined || endPlace === 'none' ? [] : [mark(end, last, endSide, endPlace)]),
  ]
}

function getRowHeight({ y }: Box, row: number | undefined): number {
  return row === undefined ? y + HEAD / 2 : y + HEAD + row * ROW + ROW / 2
}

function getCenter({ x, width }: Box): number {
  return x + width / 2
}
