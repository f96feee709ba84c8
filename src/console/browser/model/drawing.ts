// The parts of a drawn model, and how much room they take.

import type { Component, Type } from '../../described.ts'

export const ROW = 18
export const HEAD = 28
const STEPS_OF_CURVE = 24

export interface Box {
  readonly schema: Type | Component
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

export type Cardinality = '1' | 'n'

export interface Mark extends Point {
  readonly text: Cardinality
  readonly anchor: 'start' | 'end'
}

export interface Line {
  readonly from: string
  readonly to: string
  readonly label: string
  /** The begin, then for each cubic curve its two control points and its end. */
  readonly curve: readonly Point[]
  readonly marks: readonly Mark[]
}

export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function measureDrawing(boxes: readonly Box[], lines: readonly Line[]): Bounds {
  const points = [
    ...boxes.flatMap(({ x, y, width, height }) => [
      { x, y },
      { x: x + width, y: y + height },
    ]),
    ...lines.flatMap(({ curve }) => listPointsAlong(curve)),
  ]
  if (points.length === 0) return { left: 0, top: 0, right: 0, bottom: 0 }
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
}

export function listPointsAlong(curve: readonly Point[]): readonly Point[] {
  const points: Point[] = [...curve.slice(0, 1)]
  for (let index = 3; index < curve.length; index += 3) {
    const [a, b, c, d] = curve.slice(index - 3, index + 1) as [Point, Point, Point, Point]
    for (let step = 1; step <= STEPS_OF_CURVE; step += 1) {
      const t = step / STEPS_OF_CURVE
      const at = (axis: 'x' | 'y'): number =>
        (1 - t) ** 3 * a[axis] +
        3 * (1 - t) ** 2 * t * b[axis] +
        3 * (1 - t) * t ** 2 * c[axis] +
        t ** 3 * d[axis]
      points.push({ x: at('x'), y: at('y') })
    }
  }
  return points
}
