// The global name `strapi` in users' code, as Strapi has it: the object of the app that is live, or of the one that code
// registers in and starts.

import { AsyncContext } from '../lib/async-context.ts'
import type { Strapi } from './strapi.ts'

export class StrapiGlobal {
  readonly #starting = new AsyncContext<Strapi>()
  #live: Strapi | undefined

  /** Code that `task` calls gets `strapi`. */
  run<T>(strapi: Strapi, task: () => Promise<T>): Promise<T> {
    return this.#starting.run(strapi, task)
  }

  goLive(strapi: Strapi): void {
    this.#live = strapi
  }

  /** Undefined while files are loaded. */
  get(): Strapi | undefined {
    return this.#starting.get() ?? this.#live
  }
}
