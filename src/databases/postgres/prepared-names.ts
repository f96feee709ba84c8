// The statements that one connection has prepared, by their text: at most so many, the one unused longest is closed.

import { BoundedCache, RecentKeys } from '../../util/bounded-cache.ts'
import type { ParseValue } from './parse-value.ts'

export interface NamedStatement {
  readonly name: string
  readonly text: string
  /** One for each column; undefined until the server has described them. */
  parsers: readonly ParseValue[] | undefined
}

/** A server keeps a plan for each, on each connection. */
const KEPT = 256
/** What changes tables or begins and ends transactions is not worth a plan; the server runs it without. */
const PLANNED = /^\s*(?:select|insert|update|delete|with|values)\b/i

const NONE: readonly string[] = []

export class PreparedNames {
  readonly #kept = new BoundedCache<NamedStatement>({
    budget: KEPT,
    dispose: ({ name }) => this.#forgotten.push(name),
  })
  readonly #forgotten: string[] = []
  readonly #met = new RecentKeys()
  #names = 0

  get(text: string): NamedStatement | undefined {
    return this.#kept.get(text)
  }

  /** A name that this connection never had; undefined for what is not kept, or met for the first time. */
  name(text: string): NamedStatement | undefined {
    if (!PLANNED.test(text) || !this.#met.meet(text)) return undefined
    this.#names += 1
    return { name: `cms_${this.#names}`, text, parsers: undefined }
  }

  keep(named: NamedStatement): void {
    if (named.name === '') return
    this.#kept.set(named.text, named)
  }

  /** Names that the server need not know any longer, each answered once. */
  takeForgotten(): readonly string[] {
    if (this.#forgotten.length === 0) return NONE
    return this.#forgotten.splice(0)
  }
}
