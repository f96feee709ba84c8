// Counts content changes, so that a cached response lasts until its dependencies change. Each database has
// one count: during a reload, two apps write to it.

import type { ContentType } from '../model/content-type.ts'
import type { Database } from '../storage/database.ts'

/** Without an id: any entry of the content-type. */
export interface ChangedEntry {
  readonly type: ContentType
  readonly id: number | undefined
}

export interface ContentVersions {
  /** Called after each commit. `types`: content-types whose entries or links changed. */
  committed(types: Iterable<ContentType>, entries: Iterable<ChangedEntry>): void
  /**
   * Grows with exactly the changes of these content-types; undefined if other processes may write to the
   * database, too.
   */
  ofTypes(uids: readonly string[]): number | undefined
  /** The same for one entry's own values, without relations and components. */
  ofEntry(uid: string, id: number): number | undefined
}

/** Entries counted one by one per content-type; beyond, all count as changed. */
const MAX_COUNTED_ENTRIES = 10_000

interface TypeVersion {
  /** Grows with each change of an entry or a link. */
  last: number
  /** `last` at a change that may affect any entry. */
  any: number
  /** `last` at the change of each entry, by id. */
  readonly entries: Map<number, number>
}

const known = new WeakMap<Database, ContentVersions>()

export function createContentVersions(database: Database): ContentVersions {
  let versions = known.get(database)
  if (versions === undefined) {
    versions = createVersions(database)
    known.set(database, versions)
  }
  return versions
}

function createVersions(database: Database): ContentVersions {
  // By uid, because each app has content-types of its own.
  const types = new Map<string, TypeVersion>()

  function getVersion(uid: string): TypeVersion {
    let version = types.get(uid)
    if (version === undefined) {
      version = { last: 0, any: 0, entries: new Map() }
      types.set(uid, version)
    }
    return version
  }

  return {
    committed(changed, entries) {
      for (const { uid } of changed) getVersion(uid).last += 1
      for (const { type, id } of entries) {
        const version = getVersion(type.uid)
        version.last += 1
        if (id === undefined || version.entries.size >= MAX_COUNTED_ENTRIES) {
          version.entries.clear()
          version.any = version.last
        } else {
          version.entries.set(id, version.last)
        }
      }
    },
    ofTypes(uids) {
      let sum = database.outsideChanges
      if (sum !== undefined) for (const uid of uids) sum += types.get(uid)?.last ?? 0
      return sum
    },
    ofEntry(uid, id) {
      const { outsideChanges } = database
      if (outsideChanges === undefined) return undefined
      const version = types.get(uid)
      if (version === undefined) return outsideChanges
      return outsideChanges + Math.max(version.any, version.entries.get(id) ?? 0)
    },
  }
}
