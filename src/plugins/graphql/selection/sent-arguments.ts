// The arguments of a field as the client sent them, for as long as users' code around its resolver may change them: what
// it puts into `filters` and `data` itself has the server's rights (decision 0095).

import { everyPermission } from '../../../auth/principal.ts'
import type { Params } from '../../../plan/params.ts'
import { isRecord } from '../../../util/is-record.ts'
import { SentValues } from '../../../util/sent-values.ts'
import { type SplitFilters, splitFilters } from '../../../util/split-filters.ts'

type Args = Readonly<Record<string, unknown>>

interface Sent {
  readonly filters: SentValues
  readonly data: SentValues
}

const sentWith = new WeakMap<Args, Sent>()

/** Before users' code sees them; what was handed on by such code before keeps what the client sent. */
export function rememberSent(args: Args): Sent {
  const known = sentWith.get(args)
  if (known !== undefined) return known
  const sent = { filters: new SentValues(args['filters']), data: new SentValues(args['data']) }
  sentWith.set(args, sent)
  return sent
}

/** Arguments that users' code handed on in the place of those. */
export function handOn(args: unknown, sent: Sent): void {
  if (isRecord(args)) sentWith.set(args, sent)
}

/** Undefined: no code had them in its hands, or it added nothing. */
export function ownFilters(args: Args): SplitFilters | undefined {
  const { filters } = args
  const sent = sentWith.get(args)
  if (sent === undefined || !isRecord(filters)) return undefined
  const split = splitFilters(filters, sent.filters, 'and')
  return split.own === undefined ? undefined : split
}

export function ownData(args: Args): ReadonlySet<string> | undefined {
  return sentWith.get(args)?.data.ownNames(args['data'])
}

/** Of filters in the form of the core. */
export function withServersRights(filters: Params['filters']): Pick<Params, 'own'> {
  return { own: { filters, access: everyPermission } }
}
