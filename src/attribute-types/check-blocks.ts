// Checks the structure of a blocks value (rich text as nodes) and reports faults in Strapi's words.

import type { FaultWithin } from './attribute-type.ts'
import { formatValue } from './shown-value.ts'

type Node = Readonly<Record<string, unknown>>

/** A linked list, because a value may have many nodes: path and label are built only for faults. */
interface NodePosition {
  readonly above: NodePosition | undefined
  readonly step: string | number
  readonly depth: number
  readonly found: BlockFaults
}

interface BlockFaults {
  readonly label: string
  readonly most: number
  /** Whether the value belongs to a document: Strapi 5 checks some properties differently. */
  readonly documents: boolean
  readonly faults: FaultWithin[]
  more: number
}

const MAX_LIST_DEPTH = 40

export function checkBlocks(
  label: string,
  blocks: readonly unknown[],
  most: number,
  documents = false,
): { readonly faults: readonly FaultWithin[]; readonly more: number } {
  const found: BlockFaults = { label, most, documents, faults: [], more: 0 }
  const top: NodePosition = { above: undefined, step: label, depth: 0, found }
  for (const [index, block] of blocks.entries()) checkBlock(at(top, index), block)
  return found
}

function checkBlock(place: NodePosition, block: unknown): void {
  const type = isNode(block) ? block['type'] : undefined
  if (!isNode(block) || typeof type !== 'string' || !Object.hasOwn(blockChecks, type)) {
    fault(place, 'Block node is of invalid type')
    return
  }
  blockChecks[type as keyof typeof blockChecks](place, block)
}

const LEVELS = [1, 2, 3, 4, 5, 6]

const blockChecks = {
  paragraph: (place: NodePosition, node: Node) =>
    checkChildren(place, node, checkInline, withOne('Paragraph')),
  quote: (place: NodePosition, node: Node) => checkChildren(place, node, checkInline, withOne('Quote')),
  heading(place: NodePosition, node: Node) {
    const level = at(place, 'level')
    if (node['level'] !== undefined && typeof node['level'] !== 'number')
      wrongType(level, 'number', node['level'])
    else getCheckOne(level, node['level'], LEVELS)
    checkChildren(place, node, checkInline, withOne('Heading'))
  },
  code(place: NodePosition, node: Node) {
    const key = place.found.documents ? 'language' : 'syntax'
    const language = node[key]
    if (language !== undefined && language !== null && typeof language !== 'string')
      wrongType(at(place, key), 'string', language)
    // Strapi's own words.
    checkChildren(place, node, checkText, withOne('Quote'))
  },
  list: (place: NodePosition, node: Node) => checkList(place, node),
  image(place: NodePosition, node: Node) {
    checkImage(at(place, 'image'), node['image'])
    checkChildren(place, node, checkInline)
  },
} as const

function withOne(name: string): string {
  return `${name} node children must have at least one Text or Link node`
}

function checkChildren(
  place: NodePosition,
  node: Node,
  check: (place: NodePosition, child: unknown) => void,
  whenEmpty?: string,
): void {
  const children = at(place, 'children')
  const list = listAt(children, node['children'])
  if (list === undefined) return
  if (list.length === 0 && whenEmpty !== undefined) fault(children, whenEmpty)
  for (const [index, child] of list.entries()) check(at(children, index), child)
}

function checkInline(place: NodePosition, node: unknown): void {
  const type = isNode(node) ? node['type'] : undefined
  if (isNode(node) && type === 'link') {
    const { url } = node
    if (url !== undefined && typeof url !== 'string') wrongType(at(place, 'url'), 'string', url)
    else if (!isLink(url ?? '', place.found.documents))
      fault(at(place, 'url'), 'Please specify a valid link.')
    checkChildren(place, node, checkText)
  } else if (type === 'text') checkText(place, node)
  else fault(place, 'Inline node must be Text or Link')
}

const CODE: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:'])

/** Also accepts a path on the site; Strapi 5 refuses URLs that may contain code. */
function isLink(url: string, documents: boolean): boolean {
  const whole = url.startsWith('/') ? `https://example.com${url}` : url
  return URL.canParse(whole) && !(documents && CODE.has(new URL(whole).protocol))
}

const STYLES = ['bold', 'italic', 'underline', 'strikethrough', 'code']

function checkText(place: NodePosition, node: unknown): void {
  if (!isNode(node)) {
    wrongType(place, 'object', node)
    return
  }
  getCheckOne(at(place, 'type'), node['type'], ['text'])
  if (node['text'] === undefined)
    fault(at(place, 'text'), 'Text must be defined with at least an empty string')
  else if (typeof node['text'] !== 'string') wrongType(at(place, 'text'), 'string', node['text'])
  for (const style of STYLES) {
    const value = node[style]
    if (value !== undefined && typeof value !== 'boolean') wrongType(at(place, style), 'boolean', value)
  }
}

function checkList(place: NodePosition, node: Node): void {
  if (place.depth > MAX_LIST_DEPTH) {
    fault(place, `Lists may stand in lists ${MAX_LIST_DEPTH / 2} levels deep`)
    return
  }
  getCheckOne(at(place, 'format'), node['format'], ['ordered', 'unordered'])
  checkChildren(place, node, checkItem, 'List node children must have at least one ListItem or ListNode')
}

function checkItem(place: NodePosition, node: unknown): void {
  if (isNode(node) && node['type'] === 'list') checkList(place, node)
  else if (isNode(node) && node['type'] === 'list-item') checkChildren(place, node, checkInline)
  else fault(place, 'Inline node must be list-item or list')
}

const IMAGE_KEYS = {
  name: 'string',
  alternativeText: 'string?',
  url: 'string',
  caption: 'string?',
  width: 'number',
  height: 'number',
  formats: 'object',
  hash: 'string',
  ext: 'string',
  mime: 'string',
  size: 'number',
  previewUrl: 'string?',
  provider: 'string',
  createdAt: 'string',
  updatedAt: 'string',
} as const

function checkImage(place: NodePosition, image: unknown): void {
  if (image !== undefined && !isNode(image)) {
    wrongType(place, 'object', image)
    return
  }
  for (const [key, inStrapi4] of Object.entries(IMAGE_KEYS)) {
    const value = image?.[key]
    const wanted = key === 'formats' && place.found.documents ? 'object?' : inStrapi4
    const [type = wanted, optional] = wanted.split('?')
    const inner = at(place, key)
    if (value === undefined || (value === '' && type === 'string')) {
      if (optional === undefined) missing(inner)
    } else if (value === null ? optional === undefined : typeof value !== type || Array.isArray(value))
      wrongType(inner, type, value)
  }
}

function listAt(place: NodePosition, value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value === undefined) missing(place)
  else wrongType(place, 'array', value)
  return undefined
}

function getCheckOne(place: NodePosition, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined) missing(place)
  else if (!allowed.includes(value))
    fault(place, (label) => `${label} must be one of the following values: ${allowed.join(', ')}`)
}

function wrongType(place: NodePosition, type: string, value: unknown): void {
  fault(
    place,
    (label) => `${label} must be a \`${type}\` type, but the final value was: \`${formatValue(value)}\`.`,
  )
}

function missing(place: NodePosition): void {
  fault(place, (label) => `${label} is a required field`)
}

function at(above: NodePosition, step: string | number): NodePosition {
  return { above, step, depth: above.depth + 1, found: above.found }
}

function fault(place: NodePosition, message: string | ((label: string) => string)): void {
  const { found } = place
  if (found.faults.length >= found.most) {
    found.more += 1
    return
  }
  const steps: (string | number)[] = []
  for (let each = place; each.above !== undefined; each = each.above) steps.unshift(each.step)
  const labels = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
  const text = typeof message === 'string' ? message : message(found.label + labels.join(''))
  found.faults.push({ path: steps.map(String), message: text })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
