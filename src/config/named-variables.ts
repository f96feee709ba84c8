// The places of a file that name variables: a text that a page sends in the place of the file's may name the same ones at the
// same places, since the values of others would be told by what the text makes of them.

import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'

export interface NamedVariables {
  has(path: DiagnosticPath, text: string): boolean
}

/** `value`: of the file, before anything is interpolated. */
export function namedVariables(value: unknown): NamedVariables {
  const known = new Set<string>()
  collect(value, [], known)
  return { has: (path, text) => !NAMES_VARIABLE.test(text) || known.has(buildKey(path, text)) }
}

/** `$${` stands for the characters themselves. */
const NAMES_VARIABLE = /(?<!\$)\$\{/

function collect(value: unknown, path: DiagnosticPath, known: Set<string>): void {
  if (typeof value === 'string') {
    if (value.includes('${')) known.add(buildKey(path, value))
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value)
    for (const [key, item] of Object.entries(value)) collect(item, [...path, isList ? 0 : key], known)
  }
}

/** Without indexes, so that an entry may be added before another. */
function buildKey(path: DiagnosticPath, text: string): string {
  return JSON.stringify([path.map((key) => (typeof key === 'number' ? 0 : key)), text])
}
