// Changes the characters of one value in a YAML text whose document is known.

import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { renderBlock, renderFlow, renderKey, renderPairValue } from './render-yaml.ts'
import { type YamlEdit, YamlEditFault, type YamlPath } from './yaml-edit.ts'

export interface Place {
  /** The deepest node on the path that is there. */
  readonly node: Node | undefined
  /** The pair with this node as its value. */
  readonly pair: Pair<Node, Node | null> | undefined
  readonly parent: YAMLMap<Node, Node | null> | YAMLSeq<Node> | undefined
  /** The steps of the path that are not there. */
  readonly missing: YamlPath
}

export function findPlace(document: Document, path: YamlPath): Place {
  let place: Place = {
    node: document.contents ?? undefined,
    pair: undefined,
    parent: undefined,
    missing: path,
  }
  for (const [index, step] of path.entries()) {
    const { node } = place
    const at = path.slice(0, index).join('.')
    if (isAlias(node))
      throw new YamlEditFault(`${at} is the alias *${node.source}: edit the place of its anchor by hand`)
    if (isMap<Node, Node | null>(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
      if (pair === undefined) break
      place = { node: pair.value ?? undefined, pair, parent: node, missing: path.slice(index + 1) }
    } else if (isSeq<Node>(node)) {
      const item = node.items[Number(step)]
      if (!isNode(item)) throw new YamlEditFault(`${at} has no item ${step}`)
      place = { node: item, pair: undefined, parent: node, missing: path.slice(index + 1) }
    } else if (node === undefined || (isScalar(node) && node.value === null)) break
    else throw new YamlEditFault(`${at === '' ? 'the file' : at} is neither a map nor a list`)
  }
  return place
}

/** Undefined if the text has a form that is not known here. */
export function spliceYaml(
  text: string,
  document: Document,
  edit: YamlEdit,
  place: Place,
): string | undefined {
  const { node, pair, parent, missing } = place
  if (edit.kind === 'set' || edit.kind === 'append') {
    if (missing.length === 0 && edit.kind === 'append' && isSeq<Node>(node) && node.items.length > 0)
      return addItem(text, node, edit.value)
    const value = edit.kind === 'append' ? [edit.value] : edit.value
    const [key = '', ...below] = missing
    if (missing.length > 0 && isMap<Node, Node | null>(node))
      return addPair(text, node, String(key), nest(below, value))
    return replaceValue(text, place, nest(missing, value))
  }
  if (missing.length > 0) throw new YamlEditFault(`${edit.path.join('.')} is not in the file`)
  if (edit.kind === 'rename') {
    if (pair === undefined || !isMap<Node, Node | null>(parent)) return undefined
    if (parent.items.some(({ key }) => isScalar(key) && String(key.value) === edit.to))
      throw new YamlEditFault(`"${edit.to}" is there already, beside ${edit.path.join('.')}`)
    return replaceRange(text, getStart(pair.key), getEnd(pair.key), renderKey(edit.to, isJson(text)))
  }
  if (parent === undefined) return undefined
  if (parent.items.length === 1)
    return replaceValue(text, findPlace(document, edit.path.slice(0, -1)), isMap(parent) ? {} : [])
  const index = parent.items.indexOf((pair ?? node) as never)
  return parent.flow === true ? removeFromFlow(text, parent, index) : removeFromBlock(text, parent, index)
}

export function canBeList(node: Node | undefined): boolean {
  return node === undefined || isSeq(node) || (isScalar(node) && node.value === null)
}

function nest(missing: YamlPath, value: unknown): unknown {
  return missing.reduceRight<unknown>((inner, key) => ({ [String(key)]: inner }), value)
}

function replaceValue(text: string, { node, pair, parent }: Place, value: unknown): string | undefined {
  const json = isJson(text)
  if (parent === undefined) {
    const body = json ? renderFlow(value, true) : renderBlock(value, 0)
    if (node === undefined || getStart(node) === getEnd(node)) return `${endLine(text)}${body}\n`
    return replaceRange(text, ...getContent(node), body)
  }
  if (pair === undefined) {
    const [start, end] = getContent(node)
    const inner = parent.flow === true ? renderFlow(value, json) : renderBlock(value, getColumn(text, start))
    return replaceRange(text, start, end, inner)
  }
  const colon = text.indexOf(':', getEnd(pair.key))
  if (colon < 0) return undefined
  const isEmpty = node === undefined || getStart(node) === getEnd(node)
  const [start, end] = isEmpty ? [colon + 1, colon + 1] : getContent(node)
  const between = text.slice(colon + 1, start)
  const indent = getColumn(text, getStart(pair.key))
  const rendered =
    parent.flow === true || json ? ` ${renderFlow(value, json)}` : renderPairValue(value, indent)
  const comments = between.split('\n').flatMap((line) => line.match(/#.*$/)?.[0].trimEnd() ?? [])
  if (comments.length === 0) return replaceRange(text, colon + 1, end, rendered)
  if (parent.flow === true) return undefined
  const [own, ...below] = comments
  const lines = below.map((comment) => `\n${' '.repeat(indent + 2)}${comment}`).join('')
  const isInline = !rendered.startsWith('\n')
  return replaceRange(
    ...([text, colon + 1, end] as const),
    isInline ? `${rendered} ${own}${lines}` : ` ${own}${lines}${rendered}`,
  )
}

function addPair(
  text: string,
  map: YAMLMap<Node, Node | null>,
  key: string,
  value: unknown,
): string | undefined {
  const json = isJson(text)
  const [first, last] = [map.items[0], map.items.at(-1)]
  if (map.flow === true) return addToFlow(text, map, `${renderKey(key, json)}: ${renderFlow(value, json)}`)
  if (first === undefined || last === undefined) return undefined
  const indent = getColumn(text, getStart(first.key))
  const line = `${' '.repeat(indent)}${renderKey(key, false)}:${renderPairValue(value, indent)}`
  return addLine(text, getPairEnd(text, last), line)
}

function addItem(text: string, list: YAMLSeq<Node>, value: unknown): string | undefined {
  const json = isJson(text)
  if (list.flow === true) return addToFlow(text, list, renderFlow(value, json))
  const last = list.items.at(-1)
  const dash = text.lastIndexOf('-', getStart(list.items[0]) - 1)
  if (dash < 0 || last === undefined) return undefined
  const indent = getColumn(text, dash)
  const line = `${' '.repeat(indent)}- ${renderBlock(value, indent + 2)}`
  return addLine(text, trimEnd(text, getEnd(last)), line)
}

/** Behind the line of the offset, whose comment stays beside its value. */
function addLine(text: string, offset: number, line: string): string {
  const end = text.indexOf('\n', offset)
  return end < 0 ? `${text}\n${line}\n` : `${text.slice(0, end)}\n${line}${text.slice(end)}`
}

function addToFlow(
  text: string,
  collection: YAMLMap<Node, Node | null> | YAMLSeq<Node>,
  added: string,
): string {
  const [start, end] = getContent(collection)
  const last = collection.items.at(-1)
  if (last === undefined) {
    const isMapping = text[start] === '{'
    return replaceRange(text, start, end, isMapping ? `{ ${added} }` : `[${added}]`)
  }
  const behind = isNode(last) ? getEnd(last) : getPairEnd(text, last)
  const comma = /^\s*,/.exec(text.slice(behind, end))
  if (comma !== null) {
    const at = behind + comma[0].length
    return replaceRange(text, at, at, ` ${added}`)
  }
  const [indent] = /\n[ \t]*(?=\S*$)/.exec(text.slice(0, getStart(isNode(last) ? last : last.key))) ?? []
  // Each value of a list over several lines has its own line.
  return replaceRange(text, behind, behind, `,${indent ?? ' '}${added}`)
}

function removeFromFlow(
  text: string,
  { items }: YAMLMap<Node, Node | null> | YAMLSeq<Node>,
  index: number,
): string | undefined {
  const [before, item, after] = [items[index - 1], items[index], items[index + 1]]
  if (item === undefined) return undefined
  const startOf = (one: Node | Pair<Node, Node | null>): number => getStart(isNode(one) ? one : one.key)
  const endOf = (one: Node | Pair<Node, Node | null>): number =>
    isNode(one) ? getEnd(one) : getPairEnd(text, one)
  if (before !== undefined) return replaceRange(text, endOf(before), endOf(item), '')
  return after === undefined ? undefined : replaceRange(text, startOf(item), startOf(after), '')
}

function removeFromBlock(
  text: string,
  parent: YAMLMap<Node, Node | null> | YAMLSeq<Node>,
  index: number,
): string | undefined {
  const item = parent.items[index]
  const next = parent.items[index + 1]
  if (item === undefined) return undefined
  const startOf = (one: Node | Pair<Node, Node | null>): number =>
    isNode(one) ? text.lastIndexOf('-', getStart(one) - 1) : getStart(one.key)
  const start = startOf(item)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const end = isNode(item) ? trimEnd(text, getEnd(item)) : getPairEnd(text, item)
  const lineEnd = text.indexOf('\n', end)
  if (text.slice(lineStart, start).trim() === '')
    return replaceRange(text, lineStart, lineEnd < 0 ? text.length : lineEnd + 1, '')
  // The first key behind a dash: the next one takes its place.
  return next === undefined ? undefined : replaceRange(text, start, startOf(next), '')
}

function isJson(text: string): boolean {
  return /^\s*\{\s*(?:"|\})/.test(text)
}

export function getStart(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0
}

export function getEnd(node: Node | null | undefined): number {
  return node?.range?.[1] ?? 0
}

/** A block collection ends with its last value, not with the lines behind it. */
function getContent(node: Node | undefined): readonly [start: number, end: number] {
  if (!isCollection(node) || node.flow === true) return [getStart(node), getEnd(node)]
  const last = node.items.at(-1)
  const end = isNode(last)
    ? getContent(last)[1]
    : isNode((last as Pair).value)
      ? getContent((last as Pair<Node, Node>).value ?? undefined)[1]
      : getEnd(node)
  return [getStart(node), end]
}

function getPairEnd(text: string, { key, value }: Pair<Node, Node | null>): number {
  if (value !== null && getStart(value) !== getEnd(value)) return trimEnd(text, getContent(value)[1])
  const colon = text.indexOf(':', getEnd(key))
  return colon < 0 ? getEnd(key) : colon + 1
}

function trimEnd(text: string, end: number): number {
  let trimmed = end
  while (trimmed > 0 && /\s/.test(text[trimmed - 1] ?? '')) trimmed--
  return trimmed
}

function getColumn(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1)
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function replaceRange(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}
