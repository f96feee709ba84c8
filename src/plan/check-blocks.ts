// The structure of a blocks value (rich text as nodes) -> what is wrong with it, in Strapi's words (BEHAVIOUR 9.14).

import { shownValue } from './shown-value.ts'

export interface BlockFault {
  /** Steps below the attribute: `0`, `children`, `1`. */
  readonly path: readonly string[]
  readonly message: string
}

type Node = Readonly<Record<string, unknown>>

/** A value of many blocks has many places: path and label are made only of those where something is wrong. */
interface Place {
  readonly above: Place | undefined
  readonly step: string | number
  readonly depth: number
  readonly found: Found
}

/** The first `most` faults, and how many there are beyond them. */
interface Found {
  /** The attribute, as messages write it: `body`. */
  readonly label: string
  readonly most: number
  readonly faults: BlockFault[]
  more: number
}

/** Lists stand in lists; deeper than this nobody writes. */
const MOST_NESTING = 40

export function checkBlocks(
  label: string,
  blocks: readonly unknown[],
  most: number,
): { readonly faults: readonly BlockFault[]; readonly more: number } {
  const found: Found = { label, most, faults: [], more: 0 }
  const top: Place = { above: undefined, step: label, depth: 0, found }
  for (const [index, block] of blocks.entries()) checkBlock(at(top, index), block)
  return found
}

function checkBlock(place: Place, block: unknown): void {
  const type = isNode(block) ? block['type'] : undefined
  if (!isNode(block) || typeof type !== 'string' || !Object.hasOwn(blockChecks, type)) {
    fault(place, 'Block node is of invalid type')
    return
  }
  blockChecks[type as keyof typeof blockChecks](place, block)
}

const LEVELS = [1, 2, 3, 4, 5, 6]

const blockChecks = {
  paragraph: (place: Place, node: Node) => checkInlines(place, node, 'Paragraph'),
  quote: (place: Place, node: Node) => checkInlines(place, node, 'Quote'),
  code: (place: Place, node: Node) => checkInlines(place, node, 'Code'),
  heading(place: Place, node: Node) {
    oneOf(at(place, 'level'), node['level'], LEVELS)
    checkInlines(place, node, 'Heading')
  },
  list: (place: Place, node: Node) => checkList(place, node),
  image(place: Place, node: Node) {
    checkImage(at(place, 'image'), node['image'])
    const children = at(place, 'children')
    for (const [index, child] of (listAt(children, node['children']) ?? []).entries())
      checkText(at(children, index), child)
  },
} as const

function checkInlines(place: Place, node: Node, name: string): void {
  const children = at(place, 'children')
  const list = listAt(children, node['children'])
  if (list === undefined) return
  if (list.length === 0) fault(children, `${name} node children must have at least one Text or Link node`)
  for (const [index, child] of list.entries()) checkInline(at(children, index), child)
}

function checkInline(place: Place, node: unknown): void {
  if (isNode(node) && node['type'] === 'link') {
    if (node['url'] === undefined) missing(at(place, 'url'))
    else if (typeof node['url'] !== 'string') fault(at(place, 'url'), 'Please specify a valid link.')
    const children = at(place, 'children')
    const list = listAt(children, node['children'])
    if (list?.length === 0) fault(children, 'Link node children must have at least one Text node')
    for (const [index, child] of (list ?? []).entries()) checkText(at(children, index), child)
    return
  }
  if (isNode(node) && node['type'] === 'text') checkText(place, node)
  else fault(place, 'Inline node must be Text or Link')
}

const STYLES = ['bold', 'italic', 'underline', 'strikethrough', 'code']

function checkText(place: Place, node: unknown): void {
  if (!isNode(node) || node['type'] !== 'text') {
    fault(place, 'Inline node must be Text or Link')
    return
  }
  const text = at(place, 'text')
  if (node['text'] === undefined) missing(text)
  else if (typeof node['text'] !== 'string') wrongType(text, 'string', node['text'])
  for (const style of STYLES) {
    const value = node[style]
    if (value !== undefined && typeof value !== 'boolean') wrongType(at(place, style), 'boolean', value)
  }
}

function checkList(place: Place, node: Node): void {
  if (place.depth > MOST_NESTING) {
    fault(place, `Lists may stand in lists ${MOST_NESTING / 2} levels deep`)
    return
  }
  oneOf(at(place, 'format'), node['format'], ['ordered', 'unordered'])
  const children = at(place, 'children')
  const list = listAt(children, node['children'])
  if (list?.length === 0) fault(children, 'List node children must have at least one ListItem or ListNode')
  for (const [index, child] of (list ?? []).entries()) {
    const item = at(children, index)
    if (isNode(child) && child['type'] === 'list') checkList(item, child)
    else if (isNode(child) && child['type'] === 'list-item') checkInlines(item, child, 'List item')
    else fault(item, 'List node children must have at least one ListItem or ListNode')
  }
}

const IMAGE_KEYS = ['name', 'url', 'width', 'height', 'formats', 'hash', 'ext', 'mime', 'size', 'provider']

function checkImage(place: Place, image: unknown): void {
  if (!isNode(image)) {
    missing(place)
    return
  }
  for (const key of [...IMAGE_KEYS, 'createdAt', 'updatedAt']) {
    if (image[key] === undefined || image[key] === null) missing(at(place, key))
  }
}

function listAt(place: Place, value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value === undefined || value === null) missing(place)
  else wrongType(place, 'array', value)
  return undefined
}

function oneOf(place: Place, value: unknown, allowed: readonly unknown[]): void {
  if (value === undefined || value === null) missing(place)
  else if (!allowed.includes(value))
    fault(place, (label) => `${label} must be one of the following values: ${allowed.join(', ')}`)
}

function wrongType(place: Place, type: string, value: unknown): void {
  fault(
    place,
    (label) => `${label} must be a \`${type}\` type, but the final value was: \`${shownValue(value)}\`.`,
  )
}

function missing(place: Place): void {
  fault(place, (label) => `${label} is a required field`)
}

function at(above: Place, step: string | number): Place {
  return { above, step, depth: above.depth + 1, found: above.found }
}

/** `message`: of the place as messages write it, `body[0].children`. */
function fault(place: Place, message: string | ((label: string) => string)): void {
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
