// The focal point of an image, in percent from its left and top edge.

import { getLanguage, say } from '../messages.ts'

export interface FocalPoint {
  readonly x: number
  readonly y: number
}

const MAX_PERCENT = 100
const CENTRE: FocalPoint = { x: 50, y: 50 }

/** Undefined where files have none; values that are no points, as imports may bring, are null. */
export function readPoint(value: unknown): FocalPoint | null | undefined {
  if (value === undefined || value === null) return value
  const { x, y } = value as { readonly x?: unknown; readonly y?: unknown }
  return isPercent(x) && isPercent(y) ? { x, y } : null
}

function isPercent(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_PERCENT
}

export function formatPoint(point: FocalPoint | null | undefined): string {
  return point === null || point === undefined
    ? say('not set')
    : say('x {x} %, y {y} %', {
        x: point.x.toLocaleString(getLanguage()),
        y: point.y.toLocaleString(getLanguage()),
      })
}

export function limitPoint({ x, y }: FocalPoint): FocalPoint {
  const limit = (value: number): number => Math.min(Math.max(Math.round(value), 0), MAX_PERCENT)
  return { x: limit(x), y: limit(y) }
}

const STEPS: Readonly<Record<string, FocalPoint>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}
const LONG_STEP = 10

/** Undefined for other keys. Begins at the centre. */
export function movePoint(
  point: FocalPoint | null,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): FocalPoint | undefined {
  const step = STEPS[key]
  if (step === undefined) return undefined
  const { x, y } = point ?? CENTRE
  const length = shiftKey ? LONG_STEP : 1
  return limitPoint({ x: x + step.x * length, y: y + step.y * length })
}

export function getPlace(point: FocalPoint | null): { readonly left: string; readonly top: string } {
  const { x, y } = point ?? CENTRE
  return { left: `${x}%`, top: `${y}%` }
}
