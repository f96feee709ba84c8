// Describes values and JSON Schema types in reports.

/** Characters of a text in a message; the rest is cut off. */
export const MAX_SHOWN_LENGTH = 56

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'null',
}

/** `"abc"`, `5`, `a list`, `nothing`. */
export function describeFound(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object') return 'a map'
  if (typeof value !== 'string') return String(value)
  return JSON.stringify(value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value)
}

/** `text or a map`. */
export function describeTypes(types: unknown): string {
  const names = (Array.isArray(types) ? types : [types]).map(String)
  if (names.length === 1) return typeWords[names[0] ?? ''] ?? String(types)
  const words = names.flatMap((name) => (name === 'boolean' ? ['true', 'false'] : [typeWords[name] ?? name]))
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** In YAML's flow style: `[cheap, fair]`, `{ title: string }`. */
export function getFlow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(getFlow).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key}: ${getFlow(item)}`)
    .join(', ')} }`
}

export function describeTypeHelp(types: unknown, found: unknown): string | undefined {
  const wanted = new Set((Array.isArray(types) ? types : [types]).map(String))
  if (found === null)
    return wanted.has('object')
      ? 'indent the lines that belong to it, write {} for none, or remove the key'
      : 'give it a value, or remove the key'
  if (typeof found === 'string') return helpForText(wanted, found)
  if (wanted.has('string') && (typeof found === 'number' || typeof found === 'boolean')) {
    return `put it in quotes: "${found}"`
  }
  if (wanted.has('object') && Array.isArray(found))
    return 'write "name: value" lines, without "-" before them'
  if (wanted.size === 1 && wanted.has('array')) return 'write a list: [ … ], or lines that begin with "-"'
  return undefined
}

function helpForText(wanted: ReadonlySet<string>, found: string): string | undefined {
  const key = /^([A-Za-z_][\w.-]*)(?: |$)/.exec(found)?.[1]
  if (wanted.size === 1 && wanted.has('object') && key !== undefined)
    return `is a ":" missing, as in "${key}: …"?`
  if (wanted.has('boolean') && /^(?:yes|on|y|true)$/i.test(found)) return 'write true'
  if (wanted.has('boolean') && /^(?:no|off|n|false)$/i.test(found)) return 'write false'
  const isNumber = found.trim() !== '' && Number.isFinite(Number(found))
  if ((wanted.has('integer') || wanted.has('number')) && isNumber)
    return `write ${found.trim()} without quotes`
  if (wanted.size === 1 && wanted.has('array')) return `write a list: [${found.slice(0, MAX_SHOWN_LENGTH)}]`
  return undefined
}
