// The SourceText of a YAML file: paths -> ranges, read off the parsed nodes when a report needs them.

import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { DiagnosticPath } from '../errors/diagnostic.ts'
import { LineIndex } from './line-index.ts'
import type { AliasTargets } from './link-aliases.ts'
import { partOfScalar } from './part-of-scalar.ts'
import { guessSecrets, isSecretPath } from './secret-paths.ts'
import type { Place, Position, SourceText } from './source-text.ts'
import { isMergeKey } from './yaml-value.ts'

/** A source to which seed files can be added. */
export interface GrowingSource extends SourceText {
  /** From now on, paths below `path` lead into `source`. */
  mount(path: DiagnosticPath, source: SourceText): void
}

/** Without nodes (the text could not be parsed) every path leads to the beginning. */
export function createSource(
  name: string,
  text: string,
  root?: Node | null,
  aliases: AliasTargets = new Map(),
): GrowingSource {
  return new YamlSource(name, text, root ?? undefined, aliases)
}

type Range = readonly [start: number, end: number]

/** A node that a path leads to, with the key that introduces it. */
interface Found {
  readonly key: Node | undefined
  readonly value: Node | undefined
}

class YamlSource implements GrowingSource {
  readonly name: string
  readonly text: string
  readonly #root: Node | undefined
  readonly #aliases: AliasTargets
  readonly #lines: LineIndex
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()
  readonly #mounts: { readonly path: DiagnosticPath; readonly source: SourceText }[] = []
  #secrets: readonly Range[] | undefined

  constructor(name: string, text: string, root: Node | undefined, aliases: AliasTargets) {
    this.name = name
    this.text = text
    this.#root = root
    this.#aliases = aliases
    this.#lines = new LineIndex(text)
  }

  mount(path: DiagnosticPath, source: SourceText): void {
    this.#mounts.push({ path, source })
  }

  positionAt(offset: number): Position {
    return this.#lines.positionAt(Math.min(Math.max(offset, 0), this.text.length))
  }

  holding(path: DiagnosticPath): SourceText {
    return this.#mountAt(path)?.source ?? this
  }

  locate(path: DiagnosticPath, at: 'key' | 'value'): Place {
    const mount = this.#mountAt(path)
    if (mount !== undefined && (path.length > mount.path.length || at === 'value')) {
      return mount.source.locate(path.slice(mount.path.length), at)
    }
    const [start, end] = this.#rangeAt(path, at)
    return { source: this, start: this.positionAt(start), end: this.positionAt(end) }
  }

  locateWithin(path: DiagnosticPath, part: Range): Place {
    const mount = this.#mountAt(path)
    if (mount !== undefined) return mount.source.locateWithin(path.slice(mount.path.length), part)
    const node = this.#nodeAt(path)
    const range = rangeOf(node)
    const value = isScalar(node) && typeof node.value === 'string' ? node.value : undefined
    if (range === undefined || value === undefined) return this.locate(path, 'value')
    const found = partOfScalar(this.text.slice(...range), value, part)
    if (found === undefined) return this.locate(path, 'value')
    const [start, end] = found
    return { source: this, start: this.positionAt(range[0] + start), end: this.positionAt(range[0] + end) }
  }

  #nodeAt(path: DiagnosticPath): Node | undefined {
    let node = this.#resolve(this.#root)
    for (const step of path) node = this.#resolve(this.#step(node, step)?.value)
    return node
  }

  secretRanges(): readonly Range[] {
    this.#secrets ??= this.#root === undefined ? guessSecrets(this.text) : this.#findSecrets()
    return this.#secrets
  }

  #mountAt(path: DiagnosticPath) {
    return this.#mounts.find(
      ({ path: prefix }) => prefix.length <= path.length && prefix.every((key, index) => key === path[index]),
    )
  }

  #rangeAt(path: DiagnosticPath, at: 'key' | 'value'): Range {
    let found: Found = { key: undefined, value: this.#root }
    let complete = true
    for (const step of path) {
      const next = this.#step(this.#resolve(found.value), step)
      if (next === undefined) {
        complete = false
        break
      }
      found = next
    }
    return this.#show(found, complete ? at : 'nearest')
  }

  /** The key stands for a value that is empty or goes over lines; for a missing key below it, the key that exists. */
  #show({ key, value }: Found, at: 'key' | 'value' | 'nearest'): Range {
    const keyRange = rangeOf(key)
    const valueRange = this.#valueRange(value)
    if (keyRange !== undefined && (at === 'key' || valueRange === undefined)) return keyRange
    // The whole file: its first character.
    if (value === this.#root && isCollection(value)) return [value.range?.[0] ?? 0, value.range?.[0] ?? 0]
    if (keyRange !== undefined && isCollection(value) && (at === 'nearest' || !value.flow)) return keyRange
    return valueRange ?? keyRange ?? [0, 0]
  }

  #valueRange(node: Node | undefined): Range | undefined {
    const range = rangeOf(node)
    if (range === undefined || range[0] === range[1]) return undefined
    return [range[0], range[0] + this.text.slice(...range).trimEnd().length]
  }

  #resolve(node: Node | undefined): Node | undefined {
    return isAlias(node) ? this.#aliases.get(node) : node
  }

  #step(node: Node | undefined, step: string | number): Found | undefined {
    if (isSeq(node) && typeof step === 'number') {
      const value = node.items[step]
      return isNode(value) ? { key: undefined, value } : undefined
    }
    if (!isMap(node)) return undefined
    const name = String(step)
    const pair = this.#pairsOf(node).get(name) ?? this.#pairsOf(node).get(shortTypeName(name) ?? '')
    if (pair !== undefined) {
      return {
        key: isNode(pair.key) ? pair.key : undefined,
        value: isNode(pair.value) ? pair.value : undefined,
      }
    }
    return this.#mergedStep(node, name)
  }

  #mergedStep(node: YAMLMap, name: string): Found | undefined {
    const merge = this.#mergeOf(node)
    const target = this.#resolve(merge)
    const sources: readonly unknown[] = isSeq(target) ? target.items : [target]
    for (const source of sources) {
      const resolved = isNode(source) ? this.#resolve(source) : undefined
      const found = resolved === undefined ? undefined : this.#step(resolved, name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #mergeOf(map: YAMLMap): Node | undefined {
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) return isNode(value) ? value : undefined
    }
    return undefined
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map)
    if (known !== undefined) return known
    const pairs = new Map<string, Pair>()
    for (const pair of map.items) {
      const key = isAlias(pair.key) ? this.#aliases.get(pair.key) : pair.key
      if (isScalar(key) && !isMergeKey(key)) pairs.set(String(key.value), pair)
    }
    this.#pairs.set(map, pairs)
    return pairs
  }

  #findSecrets(): Range[] {
    const ranges: Range[] = []
    const visit = (node: unknown, path: DiagnosticPath): void => {
      if (isMap(node)) {
        for (const pair of node.items) {
          visit(pair.value, isScalar(pair.key) ? [...path, String(pair.key.value)] : path)
        }
      } else if (isSeq(node)) {
        node.items.forEach((item, index) => {
          visit(item, [...path, index])
        })
      } else if (isScalar(node) && isSecretPath(path)) {
        const range = this.#valueRange(node)
        // What only names a variable gives nothing away.
        if (typeof node.value === 'string' && /^\$\{\w+(?::\?[^}]*)?\}$/.test(node.value)) return
        if (range !== undefined && typeof node.value !== 'boolean' && node.value !== null) ranges.push(range)
      }
    }
    visit(this.#root, [])
    return ranges
  }
}

/** `api::article.article` may be written as `article`. */
function shortTypeName(name: string): string | undefined {
  const match = /^api::([^.]+)\.([^.]+)$/.exec(name)
  return match !== null && match[1] === match[2] ? match[1] : undefined
}

function isCollection(node: Node | undefined): node is YAMLMap | YAMLSeq {
  return isMap(node) || isSeq(node)
}

function rangeOf(node: Node | undefined): Range | undefined {
  const range = node?.range
  return range ? [range[0], range[1]] : undefined
}
