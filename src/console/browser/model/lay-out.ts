// Lays out boxes for content-types and components, and the lines between them.

import { Graph, layout } from '@dagrejs/dagre'
import { groupBy } from '../../../lib/group-by.ts'
import type { Attribute, Component, Model, Type } from '../../described.ts'
import { type Bounds, type Box, HEAD, type Line, measureDrawing, ROW } from './drawing.ts'
import { packGroups } from './pack-groups.ts'
import { type Link, routeLines } from './route-lines.ts'

export interface Layout {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

const MAX_NAME_CHARACTERS = 26
const MAX_ROW_CHARACTERS = 38
const CHARACTER = 6.7
const MARGIN = 20
/** Between columns, wide enough for the loop of a relation to the own content-type. */
const COLUMN_GAP = 104
const MAX_COLUMN_GAP = 240
/** Of more schemas only one layout is made, for its time. */
const MAX_SCHEMAS_TO_COMPARE = 30
/** What dagre may be told for another layout of the same. */
const WAYS: readonly Readonly<Record<string, string>>[] = [
  {},
  { align: 'UL' },
  { align: 'DR' },
  { ranker: 'longest-path' },
]
interface Choice {
  readonly plugins: boolean
  readonly components: boolean
  /** Width to height of the space in which the drawing is shown. */
  readonly aspect: number
}

interface Drawing {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly bounds: Bounds
}

export function layOut(model: Model, { plugins, components, aspect }: Choice): Layout {
  const types = model.types.filter(({ own }) => own || plugins)
  const schemas: readonly (Type | Component)[] = components ? [...types, ...model.components] : types
  const links = listLinks(schemas)
  const drawings = listGroups(schemas, links).map((group) => drawGroup(group, links, aspect))
  const places = packGroups(
    drawings.map(({ bounds }) => ({
      width: bounds.right - bounds.left + MARGIN,
      height: bounds.bottom - bounds.top + MARGIN,
    })),
    aspect,
  )
  const moved = drawings.map((drawing, index) => {
    const { x = 0, y = 0 } = places[index] ?? {}
    return moveDrawing(drawing, x + MARGIN - drawing.bounds.left, y + MARGIN - drawing.bounds.top)
  })
  const boxes = moved.flatMap((one) => one.boxes)
  const lines = moved.flatMap((one) => one.lines)
  const { right, bottom } = measureDrawing(boxes, lines)
  return { boxes, lines, width: right + MARGIN, height: bottom + MARGIN }
}

function listLinks(schemas: readonly (Type | Component)[]): readonly Link[] {
  const known = new Map(schemas.map((schema) => [schema.uid, schema]))
  return schemas.flatMap(({ uid, attributes }) =>
    attributes.flatMap((attribute, row) =>
      listTargets(attribute).flatMap((to) => {
        const target = known.get(to)
        if (target === undefined) return []
        const inverse = target.attributes.findIndex(({ name }) => name === attribute.inverse)
        const { start, end } = getCardinality(attribute)
        return [
          {
            from: uid,
            to,
            row,
            targetRow: attribute.inverse === undefined || inverse < 0 ? undefined : inverse,
            label: `${attribute.name}: ${attribute.relation ?? attribute.type} → ${target.displayName}`,
            start,
            end,
          },
        ]
      }),
    ),
  )
}

/** One line for both sides of a relation. */
function listTargets({ kind, target, owner, component, components }: Attribute): readonly string[] {
  if (kind === 'relation') return target === undefined || owner !== true ? [] : [target]
  return components ?? (component === undefined ? [] : [component])
}

/** A component belongs to its entry, so that only its own end has a mark. */
function getCardinality({ kind, relation = '', many }: Attribute): Pick<Link, 'start' | 'end'> {
  if (kind !== 'relation') return { start: undefined, end: kind === 'dynamiczone' || many ? 'n' : '1' }
  const start = /^(?:many|one)To/.test(relation) ? (relation.startsWith('many') ? 'n' : '1') : undefined
  return { start, end: many ? 'n' : '1' }
}

/** Schemas that are connected by lines, the largest group first. */
function listGroups(
  schemas: readonly (Type | Component)[],
  links: readonly Link[],
): readonly (readonly (Type | Component)[])[] {
  const leaders = new Map(schemas.map(({ uid }) => [uid, uid]))
  const lead = (uid: string): string => {
    const next = leaders.get(uid) ?? uid
    return next === uid ? uid : lead(next)
  }
  for (const { from, to } of links) leaders.set(lead(from), lead(to))
  return [...groupBy(schemas, ({ uid }) => lead(uid)).values()].toSorted((a, b) => b.length - a.length)
}

/** Of several layouts of a group the one that is shown largest, with wider gaps where there is room beside it. */
function drawGroup(schemas: readonly (Type | Component)[], links: readonly Link[], aspect: number): Drawing {
  const members = new Set(schemas.map(({ uid }) => uid))
  const own = links.filter(({ from }) => members.has(from))
  const isLarge = schemas.length > MAX_SCHEMAS_TO_COMPARE
  const ways = isLarge ? WAYS.slice(0, 1) : WAYS
  const found = ways.map((way) => ({ way, drawing: drawWith(schemas, own, way, COLUMN_GAP) }))
  const { way, drawing } = found.reduce((best, one) =>
    getExtent(one.drawing, aspect) < getExtent(best.drawing, aspect) ? one : best,
  )
  const columns = new Set(drawing.boxes.map(({ x, width }) => Math.round(x + width / 2))).size
  const { left, right, top, bottom } = drawing.bounds
  const room = (bottom - top) * aspect - (right - left)
  if (isLarge || columns < 2 || room <= 0) return drawing
  return drawWith(schemas, own, way, Math.min(MAX_COLUMN_GAP, COLUMN_GAP + room / (columns - 1)))
}

function getExtent({ bounds: { left, right, top, bottom } }: Drawing, aspect: number): number {
  return Math.max((right - left) / aspect, bottom - top)
}

function drawWith(
  schemas: readonly (Type | Component)[],
  own: readonly Link[],
  way: Readonly<Record<string, string>>,
  gap: number,
): Drawing {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, edgesep: 16, ranksep: gap, ...way })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const schema of schemas) graph.setNode(schema.uid, getSize(schema))
  // A loop stands beside its box, where the gap between columns has the room.
  for (const [index, { from, to }] of own.entries())
    if (from !== to) graph.setEdge(from, to, {}, String(index))
  layout(graph)
  const boxes = schemas.map((schema): Box => {
    const { x, y, width, height } = graph.node(schema.uid) as Record<'x' | 'y' | 'width' | 'height', number>
    return { schema, x: x - width / 2, y: y - height / 2, width, height }
  })
  const points = own.map(({ from, to }, index) => {
    if (from === to) return []
    const { points: found = [] } = graph.edge(from, to, String(index)) as { points?: Line['curve'] }
    return found
  })
  const lines = routeLines(boxes, own, points)
  return { boxes, lines, bounds: measureDrawing(boxes, lines) }
}

function moveDrawing({ boxes, lines, bounds }: Drawing, x: number, y: number): Drawing {
  const move = <T extends { readonly x: number; readonly y: number }>(one: T): T => ({
    ...one,
    x: one.x + x,
    y: one.y + y,
  })
  return {
    bounds,
    boxes: boxes.map(move),
    lines: lines.map((line) => ({ ...line, curve: line.curve.map(move), marks: line.marks.map(move) })),
  }
}

/** The name and the type of an attribute, cut to what the box has room for. */
export function formatRow({ name, type, relation, required }: Attribute): readonly [string, string] {
  const shown = cut(name, MAX_NAME_CHARACTERS) + (required === true ? ' *' : '')
  return [shown, cut(relation ?? type, MAX_ROW_CHARACTERS - shown.length - 2)]
}

export function formatHead({ displayName }: Type | Component): string {
  return cut(displayName, MAX_ROW_CHARACTERS - 6)
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}

function getSize(schema: Type | Component): { width: number; height: number } {
  const longest = Math.max(
    12,
    // Names of content-types are larger and bold.
    formatHead(schema).length * 1.3,
    ...schema.attributes.map((attribute) => formatRow(attribute).join('   ').length),
  )
  return {
    width: Math.round(longest * CHARACTER) + 24,
    height: HEAD + schema.attributes.length * ROW + 8,
  }
}
