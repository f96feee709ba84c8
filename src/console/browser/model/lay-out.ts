// Lays out boxes for content-types and components, and lines between them.

import { Graph, layout } from '@dagrejs/dagre'
import type { Attribute, Component, Model, Type } from '../../described.ts'

interface Box {
  readonly schema: Type | Component
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Line {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export interface Layout {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

export const ROW = 18
export const HEAD = 28
const MAX_CHARACTERS = 34
const CHARACTER = 7

interface Choice {
  readonly plugins: boolean
  readonly components: boolean
}

export function layOut(model: Model, { plugins, components }: Choice): Layout {
  const types = model.types.filter(({ own }) => own || plugins)
  const schemas: readonly (Type | Component)[] = components ? [...types, ...model.components] : types
  const known = new Set(schemas.map(({ uid }) => uid))
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 70, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const schema of schemas) graph.setNode(schema.uid, getSize(schema))
  for (const { uid, attributes } of schemas) {
    for (const attribute of attributes) {
      for (const target of listTargets(attribute)) {
        if (known.has(target)) graph.setEdge(uid, target, { label: attribute.name }, attribute.name)
      }
    }
  }
  layout(graph)
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number }
  return {
    width,
    height,
    boxes: schemas.map((schema) => {
      const { x, y, ...size } = graph.node(schema.uid) as {
        x: number
        y: number
        width: number
        height: number
      }
      return {
        schema,
        x: x - size.width / 2,
        y: y - size.height / 2,
        width: size.width,
        height: size.height,
      }
    }),
    lines: graph.edges().map((edge) => {
      const { points = [] } = graph.edge(edge) as { points?: Line['points'] }
      return { from: edge.v, to: edge.w, label: edge.name ?? '', points }
    }),
  }
}

/** One line for both sides of a relation. */
function listTargets({ kind, target, owner, component, components }: Attribute): readonly string[] {
  if (kind === 'relation') return target === undefined || owner !== true ? [] : [target]
  return components ?? (component === undefined ? [] : [component])
}

export function formatRow({ name, type, relation, required }: Attribute): readonly [string, string] {
  return [`${name}${required === true ? ' *' : ''}`, relation ?? type]
}

function getSize({ attributes, displayName }: Type | Component): { width: number; height: number } {
  const longest = Math.max(
    displayName.length + 4,
    ...attributes.map((attribute) => formatRow(attribute).join('  ').length),
  )
  return {
    width: Math.min(longest, MAX_CHARACTERS) * CHARACTER + 24,
    height: HEAD + attributes.length * ROW + 8,
  }
}
