// Defines a plugin's HTTP action as a value: its route, its permission and its handler.

import type { GuardedHandler } from '../access/guard.ts'
import type { Method, Route } from '../http/route.ts'

export interface PluginOperation {
  /** The required permission after the plugin's name, such as `auth.callback`. */
  readonly action: string
  readonly method: Method
  /** Follows the API prefix, such as `/auth/local`. */
  readonly path: string
  readonly undocumented?: boolean
  readonly handle: GuardedHandler
}

export function isPluginOperation(served: PluginOperation | Route): served is PluginOperation {
  return 'action' in served
}
