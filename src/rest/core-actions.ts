// The generated actions as users' handlers call them: `super.find(ctx)`.

import type { GuardedHandler } from '../access/guard.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { RestContext } from './rest-context.ts'
import { getRunningRequest } from './running-request.ts'

/** The handlers of generated actions, without the checks of their routes. */
export type CoreActions = Map<string, GuardedHandler>

/**
 * Answers as the generated action would for the caller of the request, whose permission was checked by the route. Resolves
 * with `{ data, meta }`, and sets the status.
 */
export async function runCoreAction(
  actions: ReadonlyMap<string, GuardedHandler>,
  action: string,
  context: RestContext,
): Promise<unknown> {
  const handler = actions.get(action)
  if (handler === undefined) throw new TypeError(`there is no action ${action}`)
  const { principal, build } = getRunningRequest(context)
  const { id } = context.params
  const { status, body } = await handler(build(), id === undefined ? [] : [String(id)], principal)
  if (status !== 200) context.status = status
  if (body === undefined) return undefined
  invariant(typeof body === 'string', 'an action answers with JSON')
  return JSON.parse(body) as unknown
}
