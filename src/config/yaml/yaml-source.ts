// Finds the range of a path in a YAML file when a report needs it.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { guessSecrets, isSecretPath } from '../secret-paths.ts'
import { LineIndex } from './line-index.ts'
import { Origins } from './origins.ts'
import { listPrivateNames } from './private-names.ts'
import type { Position, SourceLocation, SourceText } from './source-text.ts'
import type { SourceTree } from './source-tree.ts'
import { type NodeIndex, type Pair, TreeReader } from './tree-reader.ts'

export interface GrowingSource extends SourceText {
  /** From now on, paths below `path` lead into `source`. */
  mount(path: DiagnosticPath, source: SourceText): void
  /** From now on, paths lead into the expanded configuration. */
  follow(origins: Origins): void
}

/**
 * `tree` and a function `text` are called on first use. Without a tree (the text could not be parsed), every
 * path leads to the beginning.
 */
export function createSource(
  name: string,
  text: string | (() => string),
  tree?: () => SourceTree | undefined,
): GrowingSource {
  return new YamlSource(name, text, tree)
}

type Range = readonly [start: number, end: number]

interface Secret {
  readonly range: Range
  readonly text: string
}

class YamlSource implements GrowingSource {
  readonly name: string
  #text: string | (() => string)
  readonly #tree: TreeReader
  #lines: LineIndex | undefined
  readonly #pairs = new Map<NodeIndex, ReadonlyMap<string, Pair>>()
  readonly #mounts: { readonly path: DiagnosticPath; readonly source: SourceText }[] = []
  #secrets: readonly Secret[] | undefined
  #privateNames: ReadonlySet<string> | undefined
  readonly #hidden: (() => ReadonlySet<string>)[] = []
  #at: DiagnosticPath = []
  #origins = new Origins()

  constructor(name: string, text: string | (() => string), tree: (() => SourceTree | undefined) | undefined) {
    this.name = name
    this.#text = text
    this.#tree = new TreeReader(tree)
  }

  get text(): string {
    if (typeof this.#text === 'function') this.#text = this.#text()
    return this.#text
  }

  mount(path: DiagnosticPath, source: SourceText): void {
    this.#mounts.push({ path, source })
    source.hide(() => this.#listHidden(), path)
  }

  follow(origins: Origins): void {
    this.#origins = origins
    this.#secrets = undefined
  }

  positionAt(offset: number): Position {
    this.#lines ??= new LineIndex(this.text)
    return this.#lines.positionAt(Math.min(Math.max(offset, 0), this.text.length))
  }

  holding(path: DiagnosticPath): SourceText {
    return this.#mountAt(path)?.source ?? this
  }

  locate(path: DiagnosticPath, at: 'key' | 'value'): SourceLocation {
    const mount = this.#mountAt(path)
    if (mount !== undefined && (path.length > mount.path.length || at === 'value')) {
      return mount.source.locate(path.slice(mount.path.length), at)
    }
    const [start, end] = this.#rangeAt(this.#origins.inFile(path), at)
    return { source: this, start: this.positionAt(start), end: this.positionAt(end) }
  }

  locateWithin(path: DiagnosticPath, part: Range): SourceLocation {
    const mount = this.#mountAt(path)
    if (mount !== undefined) return mount.source.locateWithin(path.slice(mount.path.length), part)
    const node = this.#nodeAt(this.#origins.inFile(path))
    const range = this.#tree.getRange(node)
    const value = this.#tree.kind(node) === 'text' ? this.#tree.getText(node) : undefined
    if (range === undefined || value === undefined) return this.locate(path, 'value')
    const found = partOfScalar(this.text.slice(...range), value, part)
    if (found === undefined) return this.locate(path, 'value')
    const [start, end] = found
    return { source: this, start: this.positionAt(range[0] + start), end: this.positionAt(range[0] + end) }
  }

  #nodeAt(path: DiagnosticPath): NodeIndex | undefined {
    let node = this.#tree.resolve(this.#tree.root())
    for (const step of path) node = this.#tree.resolve(this.#step(node, step)?.value)
    return node
  }

  secretRanges(): readonly Range[] {
    return this.#listSecrets().map(({ range }) => range)
  }

  secretTexts(): readonly string[] {
    const mounted = this.#mounts.flatMap(({ source }) => source.secretTexts())
    return [...this.#listSecrets().map(({ text }) => text), ...mounted]
  }

  privateNames(): ReadonlySet<string> {
    this.#privateNames ??= listPrivateNames(this.#tree)
    return this.#privateNames
  }

  hide(names: () => ReadonlySet<string>, at: DiagnosticPath = this.#at): void {
    this.#hidden.push(names)
    this.#at = at
    this.#secrets = undefined
  }

  #listHidden(): ReadonlySet<string> {
    return new Set([...this.privateNames(), ...this.#hidden.flatMap((names) => [...names()])])
  }

  #mountAt(path: DiagnosticPath) {
    return this.#mounts.find(
      ({ path: prefix }) => prefix.length <= path.length && prefix.every((key, index) => key === path[index]),
    )
  }

  #rangeAt(path: DiagnosticPath, at: 'key' | 'value'): Range {
    let found: Pair = { key: undefined, value: this.#tree.root() }
    let complete = true
    for (const step of path) {
      const next = this.#step(this.#tree.resolve(found.value), step)
      if (next === undefined) {
        complete = false
        break
      }
      found = next
    }
    return this.#show(found, complete ? at : 'nearest')
  }

  /** Returns the key's range for a value that is empty or spans lines. */
  #show({ key, value }: Pair, at: 'key' | 'value' | 'nearest'): Range {
    const keyRange = this.#tree.getRange(key)
    const valueRange = this.#valueRange(value)
    if (keyRange !== undefined && (at === 'key' || valueRange === undefined)) return keyRange
    const isCollection = this.#tree.kind(value) === 'map' || this.#tree.kind(value) === 'sequence'
    if (value === this.#tree.root() && isCollection) {
      const start = this.#tree.getRange(value)?.[0] ?? 0
      return [start, start]
    }
    const isFlow = this.#tree.isFlow(value)
    if (keyRange !== undefined && isCollection && (at === 'nearest' || !isFlow)) return keyRange
    return valueRange ?? keyRange ?? [0, 0]
  }

  #valueRange(node: NodeIndex | undefined): Range | undefined {
    const range = this.#tree.getRange(node)
    if (range === undefined || range[0] === range[1]) return undefined
    return [range[0], range[0] + this.text.slice(...range).trimEnd().length]
  }

  #step(node: NodeIndex | undefined, step: string | number): Pair | undefined {
    if (this.#tree.kind(node) === 'sequence' && typeof step === 'number') {
      const value = this.#tree.item(node, step)
      return value === undefined ? undefined : { key: undefined, value }
    }
    if (node === undefined || this.#tree.kind(node) !== 'map') return undefined
    const name = String(step)
    const pairs = this.#pairsOf(node)
    return pairs.get(name) ?? pairs.get(shortTypeName(name) ?? '') ?? this.#mergedStep(node, name)
  }

  #mergedStep(node: NodeIndex, name: string): Pair | undefined {
    const merge = this.#tree.allPairs(node).find(({ key }) => this.#tree.isMergeKey(key))?.value
    const target = this.#tree.resolve(merge)
    const sources = this.#tree.kind(target) === 'sequence' ? this.#tree.items(target) : [target]
    for (const source of sources) {
      const found = this.#step(this.#tree.resolve(source), name)
      if (found !== undefined) return found
    }
    return undefined
  }

  #pairsOf(map: NodeIndex): ReadonlyMap<string, Pair> {
    const known = this.#pairs.get(map)
    if (known !== undefined) return known
    const pairs = new Map<string, Pair>()
    for (const pair of this.#tree.allPairs(map)) {
      const key = this.#tree.resolve(pair.key)
      if (this.#tree.isScalar(key) && !this.#tree.isMergeKey(key)) pairs.set(this.#tree.getText(key), pair)
    }
    this.#pairs.set(map, pairs)
    return pairs
  }

  #isSecret(path: DiagnosticPath): boolean {
    return isSecretPath(path) || this.#origins.expanded(path).some(isSecretPath)
  }

  #listSecrets(): readonly Secret[] {
    this.#secrets ??=
      this.#tree.root() === undefined
        ? guessSecrets(this.text).map((range) => ({ range, text: this.text.slice(...range) }))
        : this.#findSecrets()
    return this.#secrets
  }

  #findSecrets(): readonly Secret[] {
    const secrets: Secret[] = []
    const hidden = this.#listHidden()
    const isHidden = (path: DiagnosticPath): boolean =>
      path[0] === 'data' && path.slice(2).some((step) => hidden.has(String(step)))
    const visit = (node: NodeIndex | undefined, path: DiagnosticPath): void => {
      const kind = this.#tree.kind(node)
      if (node === undefined || kind === undefined) return
      if (kind === 'map') {
        for (const { key, value } of this.#tree.allPairs(node)) {
          visit(value, this.#tree.isScalar(key) ? [...path, this.#tree.getText(key)] : path)
        }
      } else if (kind === 'sequence') {
        for (const [index, item] of this.#tree.items(node).entries()) visit(item, [...path, index])
      } else if (this.#tree.isScalar(node) && (this.#isSecret(path) || isHidden(path))) {
        const range = this.#valueRange(node)
        // A value that only names a variable is public, and so is a kind of database given as the whole
        // section.
        if (path.length === 1 && path[0] === 'database' && /^\w+$/.test(this.#tree.getText(node))) return
        if (kind === 'text' && /^\$\{\w+(?::\?[^}]*)?\}$/.test(this.#tree.getText(node))) return
        if (range !== undefined && kind !== 'constant')
          secrets.push({ range, text: this.#tree.getText(node) })
      }
    }
    visit(this.#tree.root(), this.#at)
    return secrets
  }
}

/** `api::article.article` may be written as `article`. */
function shortTypeName(name: string): string | undefined {
  const match = /^api::([^.]+)\.([^.]+)$/.exec(name)
  return match !== null && match[1] === match[2] ? match[1] : undefined
}

/** Skips characters that only the file has. Undefined when the texts differ too much (variables, escapes). */
function partOfScalar(
  written: string,
  value: string,
  [start, end]: readonly [start: number, end: number],
): readonly [start: number, end: number] | undefined {
  const places: number[] = []
  let at = 0
  for (const character of value) {
    let found = at
    // White space may be folded or escaped in the file.
    if (/\s/.test(character)) {
      while (found < written.length && !/\s/.test(written[found] ?? '')) found++
    } else {
      found = written.indexOf(character, at)
      if (found < 0) return undefined
    }
    if (found - at > MAX_GAP_LENGTH) return undefined
    for (let unit = 0; unit < character.length; unit++) places.push(found + unit)
    at = Math.min(found + character.length, written.length)
  }
  places.push(at)
  const from = places[start]
  const last = places[Math.max(start, end - 1)]
  return from === undefined || last === undefined
    ? undefined
    : [from, Math.max(from, last + (end > start ? 1 : 0))]
}

const MAX_GAP_LENGTH = 400
