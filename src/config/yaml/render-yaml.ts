// Writes values as parts of a YAML text: on one line, or as a block with an indent.

import { isCollection } from 'yaml'
import { isRecord } from '../../lib/is-record.ts'
import { createYamlDocument } from './write-yaml.ts'

/** Characters of a map or list on one line. */
const MAX_FLOW_LENGTH = 80

/** `json`: as JSON, which is YAML, too. */
export function renderFlow(value: unknown, json: boolean): string {
  if (json) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => renderFlow(item, false)).join(', ')}]`
  if (!isRecord(value)) return renderScalar(value)
  const pairs = Object.entries(value).map(
    ([key, item]) => `${renderKey(key, false)}: ${renderFlow(item, false)}`,
  )
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
}

/** Its first line has no indent. Short maps and lists stand on one line. */
export function renderBlock(value: unknown, indent: number): string {
  if (typeof value === 'string' && value.includes('\n')) return renderLines(value, indent)
  if (!isLong(value)) return renderFlow(value, false)
  const margin = `\n${' '.repeat(indent)}`
  if (Array.isArray(value)) return value.map((item) => `- ${renderBlock(item, indent + 2)}`).join(margin)
  return Object.entries(value as object)
    .map(([key, item]) => `${renderKey(key, false)}:${renderPairValue(item, indent)}`)
    .join(margin)
}

/** Begins with a space, or with a line break. `indent`: of the key. */
export function renderPairValue(value: unknown, indent: number): string {
  const block = renderBlock(value, indent + 2)
  return isLong(value) ? `\n${' '.repeat(indent + 2)}${block}` : ` ${block}`
}

export function renderKey(key: string, json: boolean): string {
  // Without quotes, `<<` would be read as a merge key.
  return json || key === '<<' ? JSON.stringify(key) : renderScalar(key)
}

/** Maps of maps, and texts of several lines, are easier to read as blocks. */
function isLong(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const inner = Object.values(value)
  if (inner.some((one) => isRecord(one) || (typeof one === 'string' && one.includes('\n')))) return true
  return inner.length > 0 && renderFlow(value, false).length > MAX_FLOW_LENGTH
}

function renderScalar(value: unknown): string {
  if (typeof value === 'string' && /[\n\r]/.test(value)) return JSON.stringify(value)
  const document = createYamlDocument([value])
  if (isCollection(document.contents)) document.contents.flow = true
  return document.toString({ lineWidth: 0, flowCollectionPadding: false }).trim().slice(1, -1)
}

function renderLines(text: string, indent: number): string {
  const [first = '', ...lines] = createYamlDocument({ a: text })
    .toString({ lineWidth: 0 })
    .slice(3)
    .trimEnd()
    .split('\n')
  const margin = ' '.repeat(Math.max(0, indent - 2))
  return [first, ...lines.map((line) => (line === '' ? '' : margin + line))].join('\n')
}
