// `factories` of `@strapi/strapi`: the controllers and services of users' files over the core ones, as in Strapi.

import { isRecord } from '../lib/is-record.ts'
import { CORE, type StrapiCore } from './strapi-core.ts'

type Members = Record<string, unknown>
type Tools = { readonly strapi: { readonly [CORE]: StrapiCore } }
type Factory = (tools: Tools) => Members

export const strapiFactories = {
  createCoreController: (uid: string, own?: Members | Factory): Factory =>
    createFactory((core) => core.getController(uid), own),
  createCoreService: (uid: string, own?: Members | Factory): Factory =>
    createFactory((core) => core.getService(uid), own),
  /** Routes are declared in the configuration. */
  createCoreRouter: (): Factory => () => ({}),
}

/** The core is the prototype, so that `super.find(ctx)` leads to it. */
function createFactory(getCore: (core: StrapiCore) => object, own: Members | Factory = {}): Factory {
  return (tools) => {
    const core = getCore(tools.strapi[CORE])
    const made = typeof own === 'function' ? own(tools) : own
    if (!isRecord(made)) throw new TypeError('the function returns an object with the actions')
    return Object.setPrototypeOf(made, core) as Members
  }
}
