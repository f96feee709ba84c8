// Which lists of an answer have more entries than `amountLimit` lets them show: `extensions.cutLists`. Of a list that
// asks for more than it allows, one entry more is read, so a list is cut if it has more entries than the limit.

import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql'
import type { GraphqlLimits } from './graphql-page.ts'

interface CutList {
  /** The names of the fields from the root to the list, without the positions of entries on the way. */
  readonly path: readonly string[]
  readonly limit: number
}

/** A key of the context, as of the budget: only answers with such a list get one. */
const CUT = Symbol('cut lists')

interface Context {
  [CUT]?: Map<string, CutList>
}

/** Undefined if no list was cut. `context` belongs to one answer. */
export function listCutLists(context: object): readonly CutList[] | undefined {
  const cut = (context as Context)[CUT]
  return cut && [...cut.values()]
}

/** The entries that are shown. A list is reported once, for all the entries that it is a member of. */
export function shownEntries<T>(
  entries: readonly T[],
  { maxLimit }: GraphqlLimits,
  context: object,
  path: () => readonly string[],
): readonly T[] {
  if (maxLimit === null || entries.length <= maxLimit) return entries
  report(context as Context, { path: path(), limit: maxLimit })
  return entries.slice(0, maxLimit)
}

function report(context: Context, cut: CutList): void {
  context[CUT] ??= new Map()
  context[CUT].set(JSON.stringify(cut.path), cut)
}

export function buildPath({ path }: Pick<GraphQLResolveInfo, 'path'>): readonly string[] {
  return responsePathAsArray(path).filter((part) => typeof part === 'string')
}
