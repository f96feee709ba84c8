// Maps paths of the expanded configuration to paths in the file, so that diagnostics point at the author's
// text.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'

export interface Move {
  readonly to: DiagnosticPath
  readonly from: DiagnosticPath
}

interface Change {
  /** Parts below it without a move of their own come from it as a whole. */
  readonly at: DiagnosticPath | undefined
  readonly moves: readonly Move[]
}

export class Origins {
  readonly #changes: Change[] = []
  readonly #to = new Map<string, number[]>()
  readonly #from = new Map<string, number[]>()

  /** `at`: the rewritten path, valid before and after the change; undefined for a pure move. */
  add(moves: readonly Move[], at?: DiagnosticPath): void {
    const index = this.#changes.push({ moves, at }) - 1
    const places = at === undefined ? [] : [at]
    for (const to of [...places, ...moves.map((move) => move.to)]) note(this.#to, to, index)
    for (const from of [...places, ...moves.map((move) => move.from)]) note(this.#from, from, index)
  }

  inFile(path: DiagnosticPath): DiagnosticPath {
    let found = path
    let before = this.#changes.length
    for (;;) {
      const index = largest(this.#to, found, before)
      if (index === undefined) return found
      const { moves, at } = this.#change(index)
      const move = longest(moves, found, 'to')
      if (move !== undefined) found = [...move.from, ...found.slice(move.to.length)]
      else if (at !== undefined && startsWith(found, at)) found = at
      before = index
    }
  }

  /** Several paths if the value was copied. */
  expanded(path: DiagnosticPath): readonly DiagnosticPath[] {
    let found: readonly DiagnosticPath[] = [path]
    for (let index = smallest(this.#from, found, 0); index !== undefined; ) {
      const change = this.#change(index)
      found = found.flatMap((item) => after(change, item))
      index = smallest(this.#from, found, index + 1)
    }
    return found
  }

  #change(index: number): Change {
    return this.#changes[index] ?? { moves: [], at: undefined }
  }
}

function after({ moves, at }: Change, path: DiagnosticPath): readonly DiagnosticPath[] {
  const nearest = longest(moves, path, 'from')
  if (nearest === undefined) return [at !== undefined && startsWith(path, at) ? at : path]
  return moves
    .filter(({ from }) => buildKey(from) === buildKey(nearest.from))
    .map(({ to, from }) => [...to, ...path.slice(from.length)])
}

function longest(moves: readonly Move[], path: DiagnosticPath, end: keyof Move): Move | undefined {
  let found: Move | undefined
  for (const move of moves) {
    if (startsWith(path, move[end]) && (found === undefined || move[end].length > found[end].length))
      found = move
  }
  return found
}

function startsWith(path: DiagnosticPath, start: DiagnosticPath): boolean {
  return start.length <= path.length && start.every((step, index) => String(step) === String(path[index]))
}

type Index = Map<string, number[]>

function note(index: Index, path: DiagnosticPath, change: number): void {
  const key = buildKey(path)
  const known = index.get(key)
  if (known === undefined) index.set(key, [change])
  else if (known.at(-1) !== change) known.push(change)
}

function largest(index: Index, path: DiagnosticPath, before: number): number | undefined {
  const last = listPrefixes(path).map(
    (key) => (index.get(key) ?? []).findLast((change) => change < before) ?? -1,
  )
  const found = Math.max(...last)
  return found < 0 ? undefined : found
}

function smallest(index: Index, paths: readonly DiagnosticPath[], start: number): number | undefined {
  let found: number | undefined
  for (const key of paths.flatMap(listPrefixes)) {
    const first = index.get(key)?.find((change) => change >= start)
    if (first !== undefined && (found === undefined || first < found)) found = first
  }
  return found
}

function listPrefixes(path: DiagnosticPath): readonly string[] {
  return [...path.keys(), path.length].map((length) => buildKey(path.slice(0, length)))
}

function buildKey(path: DiagnosticPath): string {
  return path.map((step) => `${step}\0`).join('')
}
