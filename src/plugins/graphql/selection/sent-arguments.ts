// Stores a field's arguments as the client sent them, because `filters` and `data` that users' code adds have
// the server's rights.

import { everyPermission } from '../../../access/principal.ts'
import { isRecord } from '../../../lib/is-record.ts'
import { SentValues } from '../../../lib/sent-values.ts'
import { type SplitFilters, splitFilters } from '../../../lib/split-filters.ts'
import type { Params } from '../../../plan/params.ts'

type Args = Readonly<Record<string, unknown>>

interface SentArguments {
  readonly filters: SentValues
  readonly data: SentValues
}

const sentWith = new WeakMap<Args, SentArguments>()

/** Call it before users' code runs; passed-on arguments keep the client's original. */
export function rememberSent(args: Args): SentArguments {
  const known = sentWith.get(args)
  if (known !== undefined) return known
  const sent = { filters: new SentValues(args['filters']), data: new SentValues(args['data']) }
  sentWith.set(args, sent)
  return sent
}

/** Links arguments that users' code passes on to those that the client sent. */
export function handOn(args: unknown, sent: SentArguments): void {
  if (isRecord(args)) sentWith.set(args, sent)
}

/** Undefined if users' code received no arguments or added nothing. */
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

export function withServersRights(filters: Params['filters']): Pick<Params, 'own'> {
  return { own: { filters, access: everyPermission } }
}
