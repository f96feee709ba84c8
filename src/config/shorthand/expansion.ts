// The tree of a file while its shorthands are expanded; it records the origin of every part for diagnostics.

import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'
import { type Move, Origins } from '../yaml/origins.ts'

type Steps = readonly (string | number)[]

/** Changes `value` in place: it is the interpolation's own copy, and every object in it has one parent. */
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

  at(path: DiagnosticPath): unknown {
    let value = this.#root
    for (const step of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
      value = Reflect.get(value, step)
    }
    return value
  }

  /** Empty if `path` does not lead to a map. */
  entries(path: DiagnosticPath): readonly (readonly [key: string, value: unknown])[] {
    const value = this.at(path)
    return isRecord(value) ? Object.entries(value) : []
  }

  /**
   * `parts` are pairs of paths below `path`: in the new value and in the old one. Keys that keep their value
   * need no pair; other parts are attributed to the old value as a whole.
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

  /** `to` must be free; missing maps on the way are made. */
  move(from: DiagnosticPath, to: DiagnosticPath): void {
    const value = this.at(from)
    const schema = this.at(from.slice(0, -1))
    if (isRecord(schema)) Reflect.deleteProperty(schema, String(from.at(-1)))
    this.#put(to, value)
    this.origins.add([{ to, from }])
  }

  /** Keeps the key's position in the map. */
  rename(path: DiagnosticPath, name: string): void {
    const schemaPath = path.slice(0, -1)
    const old = path.at(-1)
    const renamed = this.entries(schemaPath).map(([key, value]) => [key === old ? name : key, value] as const)
    this.#put(schemaPath, Object.fromEntries(renamed))
    this.origins.add([{ to: [...schemaPath, name], from: path }])
  }

  /** The value was reported, so later checks must not report it again. */
  drop(path: DiagnosticPath): void {
    const schema = this.at(path.slice(0, -1))
    if (isRecord(schema)) Reflect.deleteProperty(schema, String(path.at(-1)))
  }

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
