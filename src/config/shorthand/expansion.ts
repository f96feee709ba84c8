// The tree of a file while its shorthands are expanded. Every change says where its parts came from, so that
// diagnostics keep their positions.

import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { type Move, Origins } from '../yaml/origins.ts'

type Steps = readonly (string | number)[]

/** `value` is changed in place: it is the interpolation's own copy, and every object in it has one holder. */
export class Expansion {
  readonly origins = new Origins()
  readonly diagnostics: Diagnostic[] = []
  #root: unknown

  constructor(value: unknown) {
    this.#root = value
  }

  get value(): unknown {
    return this.#root
  }

  /** The value at `path` now; undefined if nothing stands there. */
  at(path: DiagnosticPath): unknown {
    let value = this.#root
    for (const step of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
      value = Reflect.get(value, step)
    }
    return value
  }

  /** The entries of the map at `path`; none if there is no map. */
  entries(path: DiagnosticPath): readonly (readonly [key: string, value: unknown])[] {
    const value = this.at(path)
    return isRecord(value) ? Object.entries(value) : []
  }

  /**
   * Puts `value` in place of what stands at `path`. `parts` are pairs of paths below it: what stands at the first in
   * the new value stood at the second in the old one. Keys that keep their value need no pair; everything else is
   * taken to come from the old value as a whole.
   */
  replace(
    path: DiagnosticPath,
    value: unknown,
    parts: readonly (readonly [to: Steps, from: Steps])[] = [],
  ): void {
    const old = this.at(path)
    const kept = isRecord(old) && isRecord(value) ? keptKeys(old, value) : []
    const moves = [...parts, ...kept.map((key): [Steps, Steps] => [[key], [key]])].map(
      ([to, from]): Move => ({ to: [...path, ...to], from: [...path, ...from] }),
    )
    this.#put(path, value)
    this.origins.add(moves, path)
  }

  /** Moves what stands at `from` to `to`, where nothing may stand yet. Makes maps on the way as needed. */
  move(from: DiagnosticPath, to: DiagnosticPath): void {
    const value = this.at(from)
    const schema = this.at(from.slice(0, -1))
    if (isRecord(schema)) Reflect.deleteProperty(schema, String(from.at(-1)))
    this.#put(to, value)
    this.origins.add([{ to, from }])
  }

  /** Gives the key at the end of `path` another name, at the same place of its map. */
  rename(path: DiagnosticPath, name: string): void {
    const schemaPath = path.slice(0, -1)
    const old = path.at(-1)
    const renamed = this.entries(schemaPath).map(([key, value]) => [key === old ? name : key, value] as const)
    this.#put(schemaPath, Object.fromEntries(renamed))
    this.origins.add([{ to: [...schemaPath, name], from: path }])
  }

  /** Removes what stands at `path`: it was reported, and the checks that follow need not do so again. */
  drop(path: DiagnosticPath): void {
    const schema = this.at(path.slice(0, -1))
    if (isRecord(schema)) Reflect.deleteProperty(schema, String(path.at(-1)))
  }

  /** Reports what stands at `at` below `path`, and drops the whole. */
  refuse(path: DiagnosticPath, code: string, at: DiagnosticPath, message: string, help: string): void {
    this.report(code, [...path, ...at], message, help)
    this.drop(path)
  }

  report(code: string, path: DiagnosticPath, message: string, help: string): void {
    this.diagnostics.push({ code, severity: 'error', path, message, help, at: 'value' })
  }

  #put(path: DiagnosticPath, value: unknown): void {
    let schema = this.#root
    for (const step of path.slice(0, -1)) {
      if (!Object.hasOwn(Object(schema), step)) Reflect.set(Object(schema), step, {})
      schema = Reflect.get(Object(schema), step)
    }
    const last = path.at(-1)
    if (last === undefined) this.#root = value
    else if (typeof schema === 'object' && schema !== null) Reflect.set(schema, last, value)
  }
}

function keptKeys(old: Readonly<Record<string, unknown>>, value: Readonly<Record<string, unknown>>) {
  return Object.keys(value).filter((key) => Object.hasOwn(old, key) && old[key] === value[key])
}
