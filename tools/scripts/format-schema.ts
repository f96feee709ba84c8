// JSON as schemas are written: two spaces, and lists of plain values on one line where they fit.

const WIDTH = 110

/** Ends with a newline. */
export function formatSchema(schema: object): string {
  return `${format(schema, '', 0)}\n`
}

function format(value: unknown, indent: string, column: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const line = onOneLine(value)
    if (line !== undefined && column + line.length <= WIDTH) return line
    const items = value.map((item) => inner + format(item, inner, inner.length))
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  const entries = Object.entries(value).map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `
    return start + format(item, inner, start.length)
  })
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
}

/** Undefined for a list with objects in it. */
function onOneLine(value: unknown): string | undefined {
  if (!Array.isArray(value))
    return value !== null && typeof value === 'object' ? undefined : JSON.stringify(value)
  const items = value.map(onOneLine)
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
}
