// An action of a plugin over HTTP, as a value: where it is served, what a caller needs, and what it does.

import type { GuardedHandler } from '../access/guard.ts'
import type { Method, Route } from '../http/route.ts'

export interface PluginOperation {
  /** `auth.callback`: behind the name of the plugin, the permission that a caller needs. */
  readonly action: string
  readonly method: Method
  /** Below the prefix of the API: `/auth/local`. */
  readonly path: string
  readonly undocumented?: boolean
  readonly handle: GuardedHandler
}

export function isPluginOperation(served: PluginOperation | Route): served is PluginOperation {
  return 'action' in served
}
