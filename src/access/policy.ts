// Runs the policies of a route or resolver in order, before the handler; the first that denies ends the
// request.

import { ApiError } from '../lib/errors/api-error.ts'

export type PolicyContext = Readonly<Record<string, unknown>>

export interface BoundPolicy {
  /** `policy "is-owner"`, or the expression. */
  readonly called: string
  run(context: PolicyContext): unknown
}

/** `true` or `undefined` allows the request; any other value denies. Errors are rethrown. */
export async function assertPolicies(
  policies: readonly BoundPolicy[],
  context: PolicyContext,
): Promise<void> {
  for (const policy of policies) {
    const verdict = await policy.run(context)
    if (verdict === true || verdict === undefined) continue
    const message = `${policy.called} did not allow this request`
    throw new ApiError('PolicyError', 'Policy Failed').because({ message })
  }
}
