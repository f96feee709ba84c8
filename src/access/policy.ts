// Policies: further conditions before a route or resolver runs. They run one after the other; the first that does not
// allow the request ends it, before the handler runs.

import { ApiError } from '../lib/errors/api-error.ts'

/** The argument of a policy; each API fills it in. */
export type PolicyContext = Readonly<Record<string, unknown>>

/** A policy of the project, with its `config` and `{ cms }` bound. */
export interface BoundPolicy {
  /** Its name in explanations: `policy "is-owner"`, or its expression. */
  readonly called: string
  run(context: PolicyContext): unknown
}

/** A policy allows the request by returning `true` or `undefined`; any other value denies. Its errors are rethrown. */
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
