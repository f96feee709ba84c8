// Parses JSON text with the engine's own parser. Positions are computed only when a report needs them.

import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { parseYaml } from './parse-yaml.ts'
import type { Position, SourceLocation, SourceText } from './source-text.ts'
import { createSource } from './yaml-source.ts'
import { deepest } from './yaml-value.ts'

const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

interface ParsedJson {
  readonly value: unknown
  readonly source: SourceText
  readonly diagnostics: readonly Diagnostic[]
}

export function parseJson(text: string, name: string): ParsedJson {
  const source = new JsonSource(name, text)
  try {
    const value: unknown = JSON.parse(text)
    const diagnostics: Diagnostic[] = []
    check(value, [], diagnostics)
    return { value: diagnostics.length === 0 ? value : undefined, source, diagnostics }
  } catch {
    // The YAML parser reports positions of faults better; when it reports none, the text is YAML but not JSON.
    const { diagnostics } = parseYaml(text, name)
    return { value: undefined, source, diagnostics: diagnostics.length > 0 ? diagnostics : [notJson] }
  }
}

const notJson: Diagnostic = {
  code: 'CFG020',
  severity: 'error',
  path: [],
  message: 'the file is not JSON',
  help: 'what is written in YAML belongs in a file that ends in .yaml',
}

function check(value: unknown, path: DiagnosticPath, diagnostics: Diagnostic[]): void {
  if (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    Math.abs(value) < 1e21
  ) {
    const message = 'this number is too large to be kept exactly'
    diagnostics.push({ code: 'CFG031', severity: 'error', path, message, help: 'put it in quotes' })
  }
  if (typeof value !== 'object' || value === null) return
  if (path.length >= deepest) {
    diagnostics.push({
      code: 'CFG028',
      severity: 'error',
      path,
      message: `nested deeper than ${deepest} levels`,
    })
    return
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      check(item, [...path, index], diagnostics)
    })
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (refusedKeys.has(key)) {
      const message = `"${key}" cannot be used as a key`
      diagnostics.push({ code: 'CFG023', severity: 'error', path: [...path, key], at: 'key', message })
    }
    check(item, [...path, key], diagnostics)
  }
}

/** Positions come from the slower YAML parser, which reads JSON, too. */
class JsonSource implements SourceText {
  readonly name: string
  readonly text: string
  #parsed: SourceText | undefined
  readonly #hidden: Parameters<SourceText['hide']>[] = []

  constructor(name: string, text: string) {
    this.name = name
    this.text = text
  }

  locateWithin(path: DiagnosticPath, part: readonly [start: number, end: number]): SourceLocation {
    return { ...this.#source().locateWithin(path, part), source: this }
  }

  locate(path: DiagnosticPath, at: 'key' | 'value'): SourceLocation {
    return { ...this.#source().locate(path, at), source: this }
  }

  positionAt(offset: number): Position {
    return this.#source().positionAt(offset)
  }

  holding(): SourceText {
    return this
  }

  secretRanges() {
    return this.#source().secretRanges()
  }

  secretTexts(): readonly string[] {
    return this.#source().secretTexts()
  }

  privateNames(): ReadonlySet<string> {
    return this.#source().privateNames()
  }

  hide(names: () => ReadonlySet<string>, at?: DiagnosticPath): void {
    this.#hidden.push([names, at])
    this.#parsed?.hide(names, at)
  }

  #source(): SourceText {
    if (this.#parsed !== undefined) return this.#parsed
    const isLarge = this.text.length > 4 * 1024 * 1024
    this.#parsed = isLarge ? createSource(this.name, this.text) : parseYaml(this.text, this.name).source
    for (const [names, at] of this.#hidden) this.#parsed.hide(names, at)
    return this.#parsed
  }
}
