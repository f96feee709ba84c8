// Reports the lists that `amountLimit` cuts in `extensions.cutLists`. One entry beyond the limit is read,
// which shows that a list was cut.

import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql'
import type { GraphqlLimits } from './graphql-page.ts'

interface CutList {
  /** Field names from the root, without positions in lists. */
  readonly path: readonly string[]
  readonly limit: number
}

const CUT = Symbol('cut lists')

interface Context {
  [CUT]?: Map<string, CutList>
}

export function listCutLists(context: object): readonly CutList[] | undefined {
  const cut = (context as Context)[CUT]
  return cut && [...cut.values()]
}

/** A list is reported once for all its parents. */
export function cutEntries<T>(
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
