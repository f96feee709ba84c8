// The published contract of a plugin from outside: the default export of the file that `plugins` names. A change that an
// existing plugin would notice is a new version.

import type { Method } from '../http/route.ts'
import type { RestContext } from '../rest/rest-context.ts'
import type { UserCms } from './user-cms.ts'
import type { ProgramHooks } from './user-lifecycles.ts'

export const CONTRACT_VERSION = 1

export interface CmsPlugin {
  /** The version of the contract that the plugin was written for. */
  readonly contract: typeof CONTRACT_VERSION
  /** The keys of `config` in the file. Without them, every key is accepted. */
  readonly settings?: Readonly<Record<string, PluginSetting>>
  /**
   * Content-types as a file declares them. `rating` of the plugin `ratings` is `plugin::ratings.rating`: relations and
   * `cms.entries` reach it by that name, no generated route does.
   */
  readonly contentTypes?: Readonly<Record<string, unknown>>
  /** Routes, each with a permission of its own. */
  readonly operations?: readonly CmsPluginOperation[]
  /** The hooks of one app: `register`, `bootstrap`, `lifecycles`. Called before there are entries. */
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
  /** `rating.top`: of the plugin `ratings`, it is permitted as `plugin::ratings.rating.top`. */
  readonly action: string
  readonly method: Method
  /** Below the prefix of the API and the name of the plugin: `/top` is `/api/ratings/top`. */
  readonly path: string
  /** Returns the body, unless it sets `ctx.body`; throws the classes of `cms.errors`. */
  handler(ctx: RestContext, tools: PluginTools): unknown
}

export interface PluginTools {
  /** Reads and writes without permission checks, as for all code of the file. */
  readonly cms: UserCms
  /** The settings of the file, with defaults. */
  readonly settings: Readonly<Record<string, unknown>>
}
