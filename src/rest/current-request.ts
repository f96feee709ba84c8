// The request that code runs for, as `strapi.requestContext` of Strapi has it. It is kept only if code asks for it, because
// before Node 24 that slows every promise.

import { AsyncContext } from '../lib/async-context.ts'
import type { RestContext } from './rest-context.ts'

export class CurrentRequest {
  readonly isAsked: boolean
  readonly #running = new AsyncContext<RestContext>()

  constructor(isAsked: boolean) {
    this.isAsked = isAsked
  }

  run<T>(context: RestContext, task: () => Promise<T>): Promise<T> {
    return this.isAsked ? this.#running.run(context, task) : task()
  }

  /** Undefined outside of requests. */
  get(): RestContext | undefined {
    return this.#running.get()
  }
}
