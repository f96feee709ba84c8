// Writes pieces of TypeScript text.

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type { ScalarAttribute } from '../model/attribute.ts'

export function block(head: string, members: readonly string[]): string {
  return members.length === 0
    ? `${head} {}`
    : `${head} {\n${members.map((member) => `  ${member}`).join('\n')}\n}`
}

export function union(members: readonly string[]): string {
  return members.length === 0 ? 'never' : members.join(' | ')
}

export function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name)
}

export function text(value: string): string {
  const inner = JSON.stringify(value).slice(1, -1)
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Text of the file for `/** … *\/`, which it cannot end. */
export function comment(words: string): string {
  return words.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
}

/** Without null. */
export function getScalarType({ type, enum: values }: ScalarAttribute, side: 'answered' | 'taken'): string {
  return values === undefined ? attributeTypes[type].typeScript[side] : union(values.map(text))
}

export function orNull(type: string): string {
  return type === 'unknown' ? type : `${type} | null`
}
