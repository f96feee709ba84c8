// Converts `{ user: me, status: [open, paid] }` to the expression `user == me && status in ["open", "paid"]`.

import { isRecord } from '../../lib/is-record.ts'

interface Condition {
  readonly expression: string
  /** Whether it only compares for equality; otherwise the expression is a suggestion. */
  readonly isPlain: boolean
}

const SIGNS: Readonly<Record<string, string>> = {
  $eq: '==',
  $ne: '!=',
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
  $in: 'in',
}

export function mapEqualities(
  map: Readonly<Record<string, unknown>>,
  path: readonly string[] = [],
): Condition | undefined {
  const found = Object.entries(map).map(([key, value]): Condition | undefined => {
    const sign = SIGNS[key]
    if (sign !== undefined && path.length > 0) {
      const written = buildExpression(value)
      return written && { expression: `${path.join('.')} ${sign} ${written.expression}`, isPlain: false }
    }
    if (!/^[A-Za-z_]\w*$/.test(key)) return undefined
    if (isRecord(value)) return mapEqualities(value, [...path, key])
    const written = buildExpression(value)
    const equals = Array.isArray(value) ? 'in' : '=='
    return (
      written && { ...written, expression: `${[...path, key].join('.')} ${equals} ${written.expression}` }
    )
  })
  const known = found.filter((one) => one !== undefined)
  if (known.length === 0 || known.length < found.length) return undefined
  return {
    expression: known.map(({ expression }) => expression).join(' && '),
    isPlain: known.every(({ isPlain }) => isPlain),
  }
}

/** `me` and paths below it are the caller; every other text is literal. */
function buildExpression(value: unknown): Condition | undefined {
  if (typeof value === 'string') {
    if (/^me(?:\.\w+)*$/.test(value)) return { expression: value, isPlain: true }
    if (/^\$(?:user|me)(?:\.id)?$/i.test(value)) return { expression: 'me', isPlain: false }
    return { expression: JSON.stringify(value), isPlain: !value.startsWith('$') }
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return { expression: String(value), isPlain: true }
  if (!Array.isArray(value)) return undefined
  const items = value.map(buildExpression)
  const known = items.filter((one) => one !== undefined)
  if (known.length < items.length) return undefined
  return {
    expression: `[${known.map(({ expression }) => expression).join(', ')}]`,
    isPlain: known.every(({ isPlain }) => isPlain),
  }
}
