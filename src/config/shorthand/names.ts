// The meaning of a word in the file: a content-type, a component, an attribute type.

import { isRecord } from '../../lib/is-record.ts'
import { attributeTypes } from '../attribute-types.ts'
import { listTypeNames } from '../names-of.ts'
import { getUid } from '../normalize-content-type.ts'
import type { Expansion } from './expansion.ts'
import type { AttributeAlias, Words } from './shorthand.ts'
import { toKebabName } from './type-names.ts'

export interface Meanings {
  readonly type: string | undefined
  readonly alias: AttributeAlias | undefined
  readonly targets: readonly string[]
  readonly components: readonly string[]
}

/** Must be created after the sections of the file are in their full form. */
export class Names {
  readonly #targets = new Map<string, string[]>()
  readonly #components = new Map<string, string[]>()
  readonly #words: Words
  readonly known: readonly string[]

  constructor(expansion: Expansion, words: Words) {
    this.#words = words
    const types = expansion.entries(['contentTypes'])
    for (const [key] of types) {
      add(this.#targets, key, getUid(key))
      add(this.#targets, getLastPart(key), getUid(key))
    }
    for (const [name, uid] of Object.entries(words.typeNames)) {
      if (!this.#targets.has(name)) add(this.#targets, name, uid)
    }
    // A plural must not hide a name: `news` beside `newsitem`.
    const names = new Set(this.#targets.keys())
    for (const [key, declared] of types) {
      for (const name of otherNames(getLastPart(key), declared)) {
        if (!names.has(name)) add(this.#targets, name, getUid(key))
      }
    }
    for (const [key] of expansion.entries(['components'])) {
      add(this.#components, key, key)
      if (getLastPart(key) !== key) add(this.#components, getLastPart(key), key)
    }
    this.known = [...Object.keys(words.attributeAliases), ...this.#targets.keys(), ...this.#components.keys()]
  }

  getMeanings(word: string): Meanings {
    const aliases = this.#words.attributeAliases
    return {
      type: attributeTypes.includes(word) ? word : undefined,
      alias: Object.hasOwn(aliases, word) ? aliases[word] : undefined,
      targets: this.getTargets(word),
      components: this.getComponents(word),
    }
  }

  /** Finds content-types by key, uid, or name in the singular or plural; several if the word is ambiguous. */
  getTargets(written: string): readonly string[] {
    const word = this.#targets.has(written) ? written : toKebabName(written)
    const found = this.#targets.get(word) ?? []
    // `post` means `api::post.post` rather than `api::forum.post`.
    const own = `api::${word}.${word}`
    return found.includes(own) ? [own] : found
  }

  get targetNames(): readonly string[] {
    return [...this.#targets.keys()]
  }

  isKnown(word: string): boolean {
    return (
      attributeTypes.includes(word) || this.known.includes(word) || this.known.includes(toKebabName(word))
    )
  }

  getComponents(word: string): readonly string[] {
    return this.#components.get(word) ?? this.#components.get(toKebabName(word)) ?? []
  }
}

export function getLastPart(uid: string): string {
  return uid.slice(uid.lastIndexOf('.') + 1)
}

function otherNames(key: string, declared: unknown): readonly string[] {
  const { kind, info } = isRecord(declared) ? declared : {}
  const given = Object.fromEntries(
    Object.entries(isRecord(info) ? info : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
  const { singularName, pluralName } = listTypeNames(key, {
    ...(kind === 'singleType' && { kind }),
    info: given,
  })
  return kind === 'singleType' ? [singularName] : [singularName, pluralName]
}

function add(map: Map<string, string[]>, name: string, uid: string): void {
  const known = map.get(name)
  if (known === undefined) map.set(name, [uid])
  else if (!known.includes(uid)) known.push(uid)
}
