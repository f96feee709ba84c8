// The actions of the server as users' handlers call them: `super.find(ctx)`.

import { JSON_TYPE, type Reply } from '../http/reply.ts'
import { invariant } from '../lib/errors/invariant.ts'
import type { RestContext } from './rest-context.ts'
import { getRunningRequest } from './running-request.ts'

/**
 * Answers as the generated action would for the caller of the request, whose permission was checked by the route. Resolves
 * with `{ data, meta }`, and sets the status.
 */
export async function runCoreAction(action: string, context: RestContext): Promise<unknown> {
  const { status, body } = await callAction(action, context)
  if (status !== 200) context.status = status
  if (body === undefined) return undefined
  invariant(typeof body === 'string', 'an action answers with JSON')
  return JSON.parse(body) as unknown
}

/** Sets the response to that of the plugin's action, as Strapi's controllers do. */
export async function runPluginAction(action: string, context: RestContext): Promise<void> {
  const { status, headers, body, contentType } = await callAction(action, context)
  for (const [name, value] of Object.entries(headers ?? {})) context.set(name, value)
  context.body = contentType === JSON_TYPE && typeof body === 'string' ? JSON.parse(body) : body
  context.status = status
}

async function callAction(action: string, context: RestContext): Promise<Reply> {
  const { principal, build, actions } = getRunningRequest(context)
  const handler = actions.get(action)
  if (handler === undefined) throw new TypeError(`there is no action ${action}`)
  const { id } = context.params
  return handler(build(), id === undefined ? [] : [String(id)], principal)
}
