// Reads values out of parsed code.

import type { CodeValue } from './parse-expression.ts'

/** The result of a function, else the value itself. */
export function buildResult(value: CodeValue | undefined): CodeValue | undefined {
  return value?.kind === 'function' ? value.result : value
}

export function getMember(value: CodeValue | undefined, name: string): CodeValue | undefined {
  return value?.kind === 'object' ? value.members.get(name) : undefined
}

/** Of `env('NAME', value)`, `env.int('NAME', value)` and the like the value. */
export function getPlain(value: CodeValue | undefined): string | number | boolean | undefined {
  if (value?.kind === 'text') return value.text
  if (value?.kind === 'literal') return value.value
  return value?.kind === 'call' && /^env(?:\.\w+)?$/.test(value.callee) ? getPlain(value.args[1]) : undefined
}

/** Values within one: constants that double each other would be endless. */
const MAX_VALUES = 1000

/** Undefined for a value that is not plain, or holds one. */
export function toPlain(value: CodeValue, budget = { values: MAX_VALUES }): unknown {
  budget.values -= 1
  if (budget.values < 0) return undefined
  if (value.kind === 'text') return value.text
  if (value.kind === 'literal') return value.value ?? null
  if (value.kind === 'list') return takeAll(value.items, (item) => toPlain(item, budget))
  if (value.kind !== 'object') return undefined
  const members = takeAll([...value.members], ([name, one]) => {
    const plain = toPlain(one, budget)
    return plain === undefined ? undefined : ([name, plain] as const)
  })
  return members && Object.fromEntries(members)
}

/** Undefined if one of them cannot be taken. */
export function takeAll<T, P>(
  values: readonly T[],
  take: (value: T) => P | undefined,
): readonly P[] | undefined {
  const plain: P[] = []
  for (const value of values) {
    const one = take(value)
    if (one === undefined) return undefined
    plain.push(one)
  }
  return plain
}
