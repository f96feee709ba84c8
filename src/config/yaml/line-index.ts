// Converts offsets of a text to lines and columns, by binary search over the line starts.

import type { Position } from './source-text.ts'

export class LineIndex {
  readonly #text: string
  #starts: readonly number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }

  getStart(line: number): number {
    return this.#lineStarts()[line - 1] ?? this.#text.length
  }

  lineAt(line: number): string {
    const text = this.#text.slice(this.getStart(line), this.getStart(line + 1))
    return text.replace(/\r?\n$/, '')
  }

  #lineStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts
    const starts = [0]
    for (let at = this.#text.indexOf('\n'); at !== -1; at = this.#text.indexOf('\n', at + 1)) {
      starts.push(at + 1)
    }
    this.#starts = starts
    return starts
  }
}
