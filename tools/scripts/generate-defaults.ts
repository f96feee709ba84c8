// The defaults that the core's schema states, as a module: normalization fills them in, and says none of its own.

import { isRecord } from '../../src/lib/is-record.ts'

type Schema = Readonly<Record<string, unknown>>

/** The sections whose defaults are those of every file. */
const SECTIONS = ['dialect', 'server', 'rest', 'database'] as const

export function defaultsModule(schema: Schema, head: string): string {
  const { properties } = schema
  const found = Object.fromEntries(
    SECTIONS.map((name) => [name, defaultOf(isRecord(properties) ? properties[name] : undefined, schema)]),
  )
  return `${head}
export const defaults = ${JSON.stringify(found, null, 2)} as const
`
}

function defaultOf(node: unknown, schema: Schema): unknown {
  if (!isRecord(node)) return undefined
  const reference = node['$ref']
  if (typeof reference === 'string') return defaultOf(behind(reference, schema), schema)
  if (node['default'] !== undefined) return node['default']
  const { properties } = node
  if (!isRecord(properties)) return undefined
  const below = Object.entries(properties)
    .map(([name, each]) => [name, defaultOf(each, schema)] as const)
    .filter(([, value]) => value !== undefined)
  return below.length === 0 ? undefined : Object.fromEntries(below)
}

/** `#/$defs/name` */
function behind(reference: string, schema: Schema): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), schema)
}
