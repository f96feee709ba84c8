// Entries for Strapi's code: as in Strapi, unknown names in `populate` are ignored, here with a warning.

import type { IgnoreName } from '../plan/params.ts'
import type { Entries } from './entries-query.ts'
import { createWarnOnce } from './known-keys.ts'
import type { QueriedEntries } from './row-entries.ts'

/** Of each method, the place of the query among its arguments. */
const QUERY_PLACES: Readonly<Partial<Record<keyof Entries, number>>> = {
  ...{ findMany: 0, findOne: 1, create: 1, update: 2, publish: 1, unpublish: 1, discardDraft: 1 },
  ...{ createMany: 1, updateMany: 2, deleteMany: 1, upsert: 2, upsertMany: 2 },
}

/** Warns once of each name. */
export function createIgnoreName(warn: (message: string) => void): IgnoreName {
  const warnOnce = createWarnOnce(warn)
  return (name, place) =>
    warnOnce(`${place} ignores "${name}", which names nothing there: correct or remove it`)
}

export function ignoreUnknownNames<E extends Entries | QueriedEntries>(entries: E, ignore: IgnoreName): E {
  const methods = Object.entries(entries).map(
    ([name, method]: [string, (...given: unknown[]) => unknown]) => {
      const place = QUERY_PLACES[name as keyof Entries]
      if (place === undefined) return [name, method]
      const call = (...given: unknown[]): unknown => {
        const query = { ...(given[place] as object | undefined), ignoresUnknown: ignore }
        return method(...given.slice(0, place), query)
      }
      return [name, call]
    },
  )
  return Object.fromEntries(methods) as E
}
