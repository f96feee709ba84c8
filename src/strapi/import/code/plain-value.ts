// Reads plain values of settings.

import type { CodeValue } from './parse-expression.ts'

/** Of `env('NAME', value)`, `env.int('NAME', value)` and the like the value. */
export function getPlain(value: CodeValue | undefined): string | number | boolean | undefined {
  if (value?.kind === 'text') return value.text
  if (value?.kind === 'literal') return value.value
  return value?.kind === 'call' && /^env(?:\.\w+)?$/.test(value.callee) ? getPlain(value.args[1]) : undefined
}
