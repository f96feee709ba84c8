// Converts between Strapi's blocks and ProseMirror documents. Unedited blocks are written exactly as they
// were read.

import type { Mark, Node } from 'prosemirror-model'
import { STYLES, schema } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

/** An edit makes new nodes, which are missing here. */
export type Origins = WeakMap<Node, unknown>

const { nodes, marks } = schema

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listIn(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined
}

export function toDocument(blocks: unknown, origins: Origins): Node {
  const read = (listIn(blocks) ?? []).map((block) => getBlock(block, origins))
  return nodes.doc.create(null, read.length === 0 ? [nodes.paragraph.create()] : read)
}

function getBlock(block: unknown, origins: Origins): Node {
  const node =
    (isJson(block) ? knownBlock(block, origins) : undefined) ?? nodes.unknown_block.create({ node: block })
  origins.set(node, block)
  return node
}

/** Undefined for blocks that would not convert back unchanged. */
function knownBlock(block: Json, origins: Origins): Node | undefined {
  const { type, children, ...kept } = block
  const list = listIn(children)
  if (list === undefined) return undefined
  switch (type) {
    case 'paragraph':
    case 'quote':
      return nodes[type].create({ kept }, list.flatMap(toInline))
    case 'heading': {
      const { level, ...others } = kept
      if (![1, 2, 3, 4, 5, 6].includes(Number(level))) return undefined
      return nodes.heading.create({ kept: others, level: Number(level) }, list.flatMap(toInline))
    }
    case 'code': {
      const texts = list.flatMap(toInline)
      return texts.every((node) => node.isText && !marks.link.isInSet(node.marks))
        ? nodes.code_block.create({ kept }, texts)
        : undefined
    }
    case 'list':
      return getList(block, origins)
    case 'image': {
      const { image, ...others } = kept
      return isJson(image) ? nodes.image.create({ kept: others, image, children: list }) : undefined
    }
    default:
      return undefined
  }
}

function getList({ type: _type, children, format, ...kept }: Json, origins: Origins): Node | undefined {
  const list = listIn(children)
  const known = format === 'ordered' || format === 'unordered'
  if (list === undefined || list.length === 0 || !known) return undefined
  return nodes.list.create(
    { kept, format },
    list.map((item) => {
      const node =
        (isJson(item) ? getItem(item, origins) : undefined) ?? nodes.unknown_item.create({ node: item })
      origins.set(node, item)
      return node
    }),
  )
}

function getItem(item: Json, origins: Origins): Node | undefined {
  if (item['type'] === 'list') return getList(item, origins)
  const { type, children, ...kept } = item
  const list = listIn(children)
  return type === 'list-item' && list !== undefined
    ? nodes.list_item.create({ kept }, list.flatMap(toInline))
    : undefined
}

function toInline(node: unknown): readonly Node[] {
  if (isJson(node) && node['type'] === 'text' && typeof node['text'] === 'string')
    return toText(node, node['text'])
  if (isJson(node) && node['type'] === 'link' && typeof node['url'] === 'string') {
    const { type: _type, url, children, ...kept } = node
    const texts = (listIn(children) ?? []).flatMap(toInline)
    // An empty link has no text that could hold the mark.
    if (texts.length > 0 && texts.every((text) => text.isText && !marks.link.isInSet(text.marks)))
      return texts.map((text) => text.mark(marks.link.create({ kept, url }).addToSet(text.marks)))
  }
  return [nodes.unknown_inline.create({ node })]
}

function toText({ type: _type, text: _text, ...properties }: Json, text: string): readonly Node[] {
  if (text === '') return []
  const own: Mark[] = []
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(properties)) {
    if (!Object.hasOwn(STYLES, name) || typeof value !== 'boolean') kept[name] = value
    else if (value) own.push(marks[name as keyof typeof STYLES].create())
  }
  if (Object.keys(kept).length > 0) own.push(marks.kept.create({ properties: kept }))
  return [schema.text(text, own)]
}

export function toBlocks(doc: Node, origins: Origins): readonly unknown[] | null {
  const [only] = doc.children
  const isEmpty = doc.childCount === 1 && only?.type === nodes.paragraph && only.content.size === 0
  if (isEmpty && !origins.has(only)) return null
  return doc.children.map((node) => written(node, origins, 0))
}

function written(node: Node, origins: Origins, depth: number): unknown {
  if (origins.has(node)) return origins.get(node)
  const { type, attrs } = node
  switch (type) {
    case nodes.unknown_block:
    case nodes.unknown_item:
      return attrs['node']
    case nodes.image:
      return { type: 'image', ...attrs['kept'], image: attrs['image'], children: attrs['children'] }
    case nodes.list:
      return {
        type: 'list',
        ...attrs['kept'],
        format: attrs['format'],
        ...(depth > 0 && { indentLevel: depth }),
        children: node.children.map((item) => written(item, origins, depth + 1)),
      }
    case nodes.heading:
      return { type: 'heading', ...attrs['kept'], level: attrs['level'], children: inlineIn(node) }
    case nodes.list_item:
      return { type: 'list-item', ...attrs['kept'], children: inlineIn(node) }
    case nodes.code_block:
      return { type: 'code', ...attrs['kept'], children: inlineIn(node) }
    default:
      return { type: type.name, ...attrs['kept'], children: inlineIn(node) }
  }
}

/** Returns at least one node, as Strapi requires. */
function inlineIn(parent: Node): readonly unknown[] {
  const found: unknown[] = []
  let open: { readonly mark: Mark; readonly children: unknown[] } | undefined
  for (const node of parent.children) {
    const mark = marks.link.isInSet(node.marks)
    const item = node.isText ? writtenText(node) : node.attrs['node']
    if (mark === undefined) {
      open = undefined
      found.push(item)
    } else if (open?.mark.eq(mark) === true) open.children.push(item)
    else {
      open = { mark, children: [item] }
      found.push({ type: 'link', ...mark.attrs['kept'], url: mark.attrs['url'], children: open.children })
    }
  }
  return found.length === 0 ? [{ type: 'text', text: '' }] : found
}

function writtenText(node: Node): Json {
  const kept = marks.kept.isInSet(node.marks)?.attrs['properties'] as Json | undefined
  const styles = node.marks
    .filter(({ type }) => Object.hasOwn(STYLES, type.name))
    .map(({ type }) => [type.name, true])
  return { type: 'text', ...kept, text: node.text ?? '', ...Object.fromEntries(styles) }
}
