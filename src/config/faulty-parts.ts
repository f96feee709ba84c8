// A file with faults is checked on without the parts that have them, so that all its faults are told at once. What is left
// out stays known by its name: whatever touches it is a consequence, and is not told.

import { didYouMean } from '../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { getPlural, getSingular } from './names-of.ts'

/** Sections whose settings depend on each other: after a fault in one of them, the others are not judged. */
const SETTINGS: ReadonlySet<unknown> = new Set([
  ...['server', 'rest', 'database', 'plugins', 'graphql', 'policies', 'middlewares', 'routes'],
  ...['extensions', 'console', 'dialect'],
])
const SECTIONS = ['contentTypes', 'components', 'singleTypes', 'data', 'auth', 'plugins']
const HOLDERS: ReadonlySet<unknown> = new Set(['contentTypes', 'components', 'singleTypes'])
/** A fault of an entry may come from another entry that was left out. */
const REFERENCES: ReadonlySet<string> = new Set(['MOD082', 'MOD085', 'MOD101', 'SEED002'])

type Steps = readonly (string | number)[]

export class FaultyPlaces {
  readonly #attributes: { readonly schema: string; readonly name: string }[] = []
  /** Content-types and components that are not known whole. */
  readonly #schemas = new Set<string>()
  readonly #sections = new Set<unknown>()
  /** The attributes and keys of content-types that were taken out. */
  readonly #keys = new Set<string>()
  readonly #removed: { readonly list: string; readonly index: number }[] = []

  /** Takes the part with the fault out of `root`, in place. False: nothing can be said of the rest. */
  remove(root: unknown, path: DiagnosticPath): boolean {
    const [section, schema, key, name] = path
    if (schema === undefined) {
      if (section === undefined || HOLDERS.has(section)) return false
      const near = didYouMean(String(section), SECTIONS)
      // What is missing for a mistyped section is not known.
      if (near !== undefined && near !== section) return false
      this.#sections.add(section)
    } else if (!HOLDERS.has(section)) this.#sections.add(section)
    else if (key === 'attributes' && name !== undefined)
      this.#attributes.push({ schema: String(schema), name: String(name) })
    else this.#addSchema(String(schema))
    const part = buildKey(getPart(path))
    // What follows from the name of a type, or from others, is not gone with a key.
    this.#drop(root, this.#keys.has(part) ? path.slice(0, 2) : getPart(path))
    if (HOLDERS.has(section)) this.#keys.add(part)
    return true
  }

  /** Whether a fault may be a consequence of what was left out. */
  touches({ code, severity, message, path }: Diagnostic): boolean {
    const [section, schema, , name] = path
    // Something may seem to be missing that was left out.
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

  /** The place in the file of a path in what is left. */
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

/** The part that is taken out for a fault at `path`: an attribute, an entry of a list, a key. */
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
