// Converts YAML nodes to plain values. Refuses content that two parsers could read differently: duplicate
// keys, unknown tags, numbers that lose digits.

import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { LineIndex } from './line-index.ts'
import type { AliasTargets } from './link-aliases.ts'

/** Levels of maps and lists in a file. */
export const deepest = 64
const tooDeep = `nested deeper than ${deepest} levels`
/** An attack with nine levels of nine aliases expands to 387 million nodes. */
const MAX_ALIASED_NODES = 100_000
/** Characters, keys included: 90,000 aliases of a text of 1 MB expand to 90 GB. */
const MAX_ALIASED_LENGTH = 16 * 1024 * 1024
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
interface ReadContext {
  readonly aliases: AliasTargets
  readonly diagnostics: Diagnostic[]
  /** Anchored nodes that are being read: an alias to one of them is a cycle. */
  readonly open: Set<Node>
  readonly lines: LineIndex
  /** True within an alias, whose faults were already reported at the anchor. */
  insideAlias: boolean
  aliasedNodes: number
  aliasedText: number
  deepAlias: boolean
}

export function readValue(
  root: Node,
  aliases: AliasTargets,
  text: string,
): { readonly value: unknown; readonly diagnostics: readonly Diagnostic[] } {
  const reading: ReadContext = {
    aliases,
    diagnostics: [],
    open: new Set(),
    lines: new LineIndex(text),
    insideAlias: false,
    aliasedNodes: 0,
    aliasedText: 0,
    deepAlias: false,
  }
  const value = readNode(root, [], reading)
  return { value, diagnostics: reading.diagnostics }
}

function readNode(node: unknown, path: DiagnosticPath, reading: ReadContext): unknown {
  if (reading.insideAlias) {
    reading.aliasedNodes += 1
    if (isScalar(node) && typeof node.value === 'string') reading.aliasedText += node.value.length
    if (aliasedTooMuch(reading)) return undefined
  }
  if (isAlias(node)) {
    const target = aliasTarget(node, path, reading)
    return target === undefined ? undefined : readTarget(target, node, path, reading)
  }
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
  if (isScalar(node)) return readScalar(node, path, reading)
  if (path.length >= deepest) {
    if (reading.insideAlias) reading.deepAlias = true
    report(reading, 'CFG028', path, node, tooDeep)
    return undefined
  }
  reading.open.add(node)
  const value = isMap(node) ? readMap(node, path, reading) : readSequence(node, path, reading)
  reading.open.delete(node)
  return value
}

function readTarget(target: Node, alias: Node, path: DiagnosticPath, reading: ReadContext): unknown {
  if (aliasedTooMuch(reading)) return undefined
  const outermost = !reading.insideAlias
  reading.insideAlias = true
  const value = readNode(target, path, reading)
  if (!outermost) return value
  reading.insideAlias = false
  if (aliasedTooMuch(reading)) {
    const most =
      reading.aliasedNodes > MAX_ALIASED_NODES
        ? `${MAX_ALIASED_NODES.toLocaleString('en')} values`
        : `${MAX_ALIASED_LENGTH / 1024 / 1024} MB of text`
    report(reading, 'CFG027', path, alias, `aliases expand to more than ${most}`)
  }
  if (reading.deepAlias) report(reading, 'CFG028', path, alias, tooDeep)
  reading.deepAlias = false
  return value
}

function aliasedTooMuch({ aliasedNodes, aliasedText }: ReadContext): boolean {
  return aliasedNodes > MAX_ALIASED_NODES || aliasedText > MAX_ALIASED_LENGTH
}

function aliasTarget(node: Node, path: DiagnosticPath, reading: ReadContext): Node | undefined {
  if (!isAlias(node)) return undefined
  const target = reading.aliases.get(node)
  if (target === undefined) {
    report(reading, 'CFG026', path, node, `no anchor "&${node.source}" stands before this alias`)
  } else if (reading.open.has(target)) {
    report(reading, 'CFG026', path, node, `alias "*${node.source}" stands inside the value it means`)
    return undefined
  }
  return target
}

function readSequence(node: YAMLSeq, path: DiagnosticPath, reading: ReadContext): unknown[] {
  return node.items.map((item, index) => readNode(item, [...path, index], reading))
}

function readMap(node: YAMLMap, path: DiagnosticPath, reading: ReadContext): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  const own = new Map<string, Node>()
  for (const pair of node.items) {
    if (isNode(pair.key) && isMergeKey(pair.key)) {
      if (own.has('<<')) reportDuplicate('<<', pair.key, path, own, reading)
      own.set('<<', pair.key)
      merge(pair.value, value, own, path, reading)
      continue
    }
    const key = readKey(pair.key, path, reading)
    if (key === undefined) continue
    if (reading.insideAlias) reading.aliasedText += key.length
    if (own.has(key)) reportDuplicate(key, pair.key, path, own, reading)
    else if (isNode(pair.key)) own.set(key, pair.key)
    value[key] = readNode(pair.value, [...path, key], reading)
  }
  return value
}

/** A plain `<<`, as in YAML 1.1. Keys of the map itself have priority, then those of the first source. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
}

function merge(
  value: unknown,
  into: Record<string, unknown>,
  own: ReadonlyMap<string, Node>,
  path: DiagnosticPath,
  reading: ReadContext,
): void {
  const mergePath = [...path, '<<']
  const target = isAlias(value) ? (reading.aliases.get(value) ?? value) : value
  const sources = isSeq(target) ? target.items : [value]
  for (const source of sources) {
    const merged = readNode(source, mergePath, reading)
    if (typeof merged === 'object' && merged !== null && !Array.isArray(merged)) {
      for (const [key, item] of Object.entries(merged)) {
        if (!own.has(key) && !Object.hasOwn(into, key)) into[key] = item
      }
    } else if (merged !== undefined) {
      const help = 'write "<<: *name" with the anchor of a map, or a list of such aliases'
      report(reading, 'CFG029', mergePath, source, 'only maps can be merged', help)
    }
  }
}

function readKey(key: unknown, path: DiagnosticPath, reading: ReadContext): string | undefined {
  const node = isAlias(key) ? reading.aliases.get(key) : key
  if (!isScalar(node) || typeof node.value !== 'string') {
    const written = isScalar(node) && node.source ? node.source : undefined
    if (written === undefined) report(reading, 'CFG030', path, key, 'a key must be text')
    else {
      const help = `put it in quotes: "${written}"`
      report(reading, 'CFG030', path, key, `the key ${written} is not text`, help)
    }
    return undefined
  }
  if (!refusedKeys.has(node.value)) return node.value
  report(reading, 'CFG023', path, key, `"${node.value}" cannot be used as a key`)
  return undefined
}

function reportDuplicate(
  key: string,
  node: unknown,
  path: DiagnosticPath,
  own: ReadonlyMap<string, Node>,
  reading: ReadContext,
): void {
  const first = own.get(key)?.range?.[0] ?? 0
  const { line } = reading.lines.positionAt(first)
  const help =
    key === '<<' ? 'merge several maps with a list: "<<: [*a, *b]"' : `it stands on line ${line} already`
  report(reading, 'CFG022', path, node, `duplicate key "${key}"`, help)
}

function readScalar(node: Scalar, path: DiagnosticPath, reading: ReadContext): unknown {
  const { value } = node
  if (typeof value !== 'number') return value
  const written = node.source ?? String(value)
  if (!Number.isFinite(value)) {
    report(reading, 'CFG031', path, node, `${written} is not a finite number`)
  } else if (!Number.isSafeInteger(value) && /^[-+]?(?:\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(written)) {
    const help = `a biginteger is written in quotes: "${written}"`
    report(reading, 'CFG031', path, node, `${written} is too large to be kept exactly`, help)
  }
  return value
}

function getRange(node: unknown): readonly [start: number, end: number] {
  if (!isAlias(node) && !isScalar(node) && !isMap(node) && !isSeq(node)) return [0, 0]
  const [start = 0, end = start] = node.range ?? []
  return [start, end]
}

function report(
  reading: ReadContext,
  code: string,
  path: DiagnosticPath,
  node: unknown,
  message: string,
  help?: string,
): void {
  if (reading.insideAlias) return
  const [start, end] = getRange(node)
  const range = isMap(node) || isSeq(node) ? ([start, start + 1] as const) : ([start, end] as const)
  reading.diagnostics.push({
    code,
    severity: 'error',
    path,
    range,
    message,
    ...(help === undefined ? {} : { help }),
  })
}
