// The published contract of an external plugin, the default export of its file. A change that an existing
// plugin would notice is a new version.

import type { Method } from '../http/route.ts'
import type { RestContext } from '../rest/rest-context.ts'
import type { UserCms } from './user-cms.ts'
import type { ProgramHooks } from './user-lifecycles.ts'

export const CONTRACT_VERSION = 1

export interface CmsPlugin {
  readonly contract: typeof CONTRACT_VERSION
  /** The keys of `config`. Without them, every key is accepted. */
  readonly settings?: Readonly<Record<string, PluginSetting>>
  /**
   * `rating` of the plugin `ratings` is `plugin::ratings.rating`: relations and `cms.entries` use that name;
   * it gets no generated routes.
   */
  readonly contentTypes?: Readonly<Record<string, unknown>>
  readonly operations?: readonly CmsPluginOperation[]
  /** The hooks of one app: `register`, `bootstrap`, `lifecycles`. Called before entries exist. */
  hooks?(tools: PluginTools): ProgramHooks
}

export interface PluginSetting {
  readonly type: 'string' | 'integer' | 'number' | 'boolean'
  /** Without a default the setting may be absent. */
  readonly default?: string | number | boolean
  readonly required?: boolean
  readonly enum?: readonly (string | number)[]
}

export interface CmsPluginOperation {
  /** `rating.top` of the plugin `ratings` is permitted as `plugin::ratings.rating.top`. */
  readonly action: string
  readonly method: Method
  /** `/top` of the plugin `ratings` is `/api/ratings/top`. */
  readonly path: string
  /** Returns the body, unless it sets `ctx.body`; throws the classes of `cms.errors`. */
  handler(ctx: RestContext, tools: PluginTools): unknown
}

export interface PluginTools {
  readonly cms: UserCms
  readonly settings: Readonly<Record<string, unknown>>
}
