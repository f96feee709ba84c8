// Limits a text from a page to the file's own variables at the same paths: its results could otherwise reveal
// other variables.

import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'

export interface NamedVariables {
  has(path: DiagnosticPath, text: string): boolean
}

export function listNamedVariables(value: unknown): NamedVariables {
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

/** Omits indexes, so that an entry may be added before another. */
function buildKey(path: DiagnosticPath, text: string): string {
  return JSON.stringify([path.map((key) => (typeof key === 'number' ? 0 : key)), text])
}
