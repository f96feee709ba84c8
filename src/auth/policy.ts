// Policies: what else must hold before a route or resolver runs. Each is asked in turn; the first that does
// not agree ends the request, and nothing behind it has run.

import { ApiError } from '../errors/api-error.ts'

/** What a policy is asked with: the APIs fill it in. */
export type PolicyContext = Readonly<Record<string, unknown>>

/** A policy of the author, with its `config` and `{ cms }` bound. */
export interface BoundPolicy {
  run(context: PolicyContext): unknown
}

/** `true` and `undefined` agree; whatever else it returns does not. What it throws is thrown on. */
export async function assertPolicies(
  policies: readonly BoundPolicy[],
  context: PolicyContext,
): Promise<void> {
  for (const policy of policies) {
    const verdict = await policy.run(context)
    if (verdict !== true && verdict !== undefined) throw new ApiError('PolicyError', 'Policy Failed')
  }
}
