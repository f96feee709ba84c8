// Caches the prepared statements of one connection, by their text.

import { BoundedCache, RecentKeys } from '../../../lib/bounded-cache.ts'
import type { ParseValue } from './parse-value.ts'

export interface NamedStatement {
  readonly name: string
  readonly text: string
  parsers: readonly ParseValue[] | undefined
}

/** Limited, because the server keeps a plan for each statement on each connection. */
const MAX_PREPARED = 256
const PLANNED = /^\s*(?:select|insert|update|delete|with|values)\b/i

const NONE: readonly string[] = []

export class PreparedNames {
  readonly #kept = new BoundedCache<NamedStatement>({
    budget: MAX_PREPARED,
    dispose: ({ name }) => this.#forgotten.push(name),
  })
  readonly #forgotten: string[] = []
  readonly #met = new RecentKeys()
  #names = 0

  get(text: string): NamedStatement | undefined {
    return this.#kept.get(text)
  }

  name(text: string): NamedStatement | undefined {
    if (!PLANNED.test(text) || !this.#met.meet(text)) return undefined
    this.#names += 1
    return { name: `cms_${this.#names}`, text, parsers: undefined }
  }

  keep(named: NamedStatement): void {
    if (named.name === '') return
    this.#kept.set(named.text, named)
  }

  /** The caller closes the statements on the server. */
  takeForgotten(): readonly string[] {
    if (this.#forgotten.length === 0) return NONE
    return this.#forgotten.splice(0)
  }
}
