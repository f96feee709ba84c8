// Removes faulty parts from a file, so that the rest can be checked. Faults that refer to removed names are
// consequences and suppressed.

import { didYouMean } from '../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { getPlural, getSingular } from './names-of.ts'

/** After a fault in one of these sections, the others are not checked. */
const SETTINGS: ReadonlySet<unknown> = new Set([
  ...['server', 'rest', 'database', 'plugins', 'graphql', 'policies', 'middlewares', 'routes'],
  ...['extensions', 'console', 'dialect'],
])
const SECTIONS = ['contentTypes', 'components', 'singleTypes', 'data', 'auth', 'plugins']
const HOLDERS: ReadonlySet<unknown> = new Set(['contentTypes', 'components', 'singleTypes'])
/** May be caused by the removal of another entry. */
const REFERENCES: ReadonlySet<string> = new Set(['MOD082', 'MOD085', 'MOD101', 'SEED002'])

type Steps = readonly (string | number)[]

export class FaultyPlaces {
  readonly #attributes: { readonly schema: string; readonly name: string }[] = []
  readonly #schemas = new Set<string>()
  readonly #sections = new Set<unknown>()
  readonly #keys = new Set<string>()
  readonly #removed: { readonly list: string; readonly index: number }[] = []

  /** Changes `root` in place. False: the rest cannot be checked. */
  remove(root: unknown, path: DiagnosticPath): boolean {
    const [section, schema, key, name] = path
    if (schema === undefined) {
      if (section === undefined || HOLDERS.has(section)) return false
      const near = didYouMean(String(section), SECTIONS)
      // A mistyped section leaves unknown settings missing.
      if (near !== undefined && near !== section) return false
      this.#sections.add(section)
    } else if (!HOLDERS.has(section)) this.#sections.add(section)
    else if (key === 'attributes' && name !== undefined)
      this.#attributes.push({ schema: String(schema), name: String(name) })
    else this.#addSchema(String(schema))
    const part = buildKey(getPart(path))
    // If the fault remains without its key, the whole schema is removed.
    this.#drop(root, this.#keys.has(part) ? path.slice(0, 2) : getPart(path))
    if (HOLDERS.has(section)) this.#keys.add(part)
    return true
  }

  touches({ code, severity, message, path }: Diagnostic): boolean {
    const [section, schema, , name] = path
    // A removed part may seem to be missing.
    if (this.#sections.has(section) && severity === 'warning') return true
    if (this.#sections.has(section) && SETTINGS.has(section)) return true
    if (this.#sections.has('plugins') && /^PLG/.test(code)) return true
    if (this.#sections.has('data') && REFERENCES.has(code)) return true
    // Entries of plugins, such as users, come from other sections than `data`.
    if (this.#sections.has('auth') && REFERENCES.has(code) && message.includes('plugin::')) return true
    const words = new Set(message.match(/[\w-]+/g) ?? [])
    const steps = new Set(path.map(String))
    const names = (one: string) => (/[^\w-]/.test(one) ? message.includes(one) : words.has(one))
    if ([...this.#schemas].some((one) => names(one) || steps.has(one))) return true
    return this.#attributes.some((one) => {
      const isAnother = HOLDERS.has(section) && name === one.name && schema !== one.schema
      if (isAnother) return false
      return message.includes(`"${one.name}"`) || path.slice(2).includes(one.name)
    })
  }

  /** Converts a path in the remainder to the path in the file. */
  inFile(path: DiagnosticPath): DiagnosticPath {
    const found: (string | number)[] = []
    for (const step of path) {
      const list = buildKey(found)
      let index = step
      if (typeof index === 'number')
        for (const removed of this.#removed)
          if (removed.list === list && removed.index <= Number(index)) index = Number(index) + 1
      found.push(index)
    }
    return found
  }

  #addSchema(key: string): void {
    const name = key.slice(key.lastIndexOf('.') + 1)
    for (const one of [key, name, getSingular(name), getPlural(name)]) this.#schemas.add(one)
  }

  #drop(root: unknown, path: Steps): void {
    let schema = root
    for (const step of path.slice(0, -1)) schema = Reflect.get(Object(schema), step)
    const last = path.at(-1)
    if (last === undefined) return
    if (Array.isArray(schema) && typeof last === 'number' && last < schema.length) {
      const place = this.inFile(path)
      schema.splice(last, 1)
      this.#removed.push({ list: buildKey(place.slice(0, -1)), index: Number(place.at(-1)) })
      this.#removed.sort((a, b) => a.index - b.index)
    } else if (isRecord(schema)) Reflect.deleteProperty(schema, last)
  }
}

/** Returns the attribute, entry of a list, or key to remove. */
export function getPart(path: DiagnosticPath): DiagnosticPath {
  const [section, , key, name] = path
  if (HOLDERS.has(section)) {
    if (key === 'attributes') return path.slice(0, name === undefined ? 2 : 4)
    return path.slice(0, 3)
  }
  const index = path.findIndex((step) => typeof step === 'number')
  return index < 0 ? path : path.slice(0, index + 1)
}

function buildKey(path: Steps): string {
  return path.join('\0')
}
