// Counts the changes of content, so that an answer can be kept until something that it was read from has changed. There
// is one count for each database: during a reload, two apps write to it.

import type { ContentType } from '../model/content-type.ts'
import type { Database } from '../storage/database.ts'

/** An entry whose own values a commit has changed; without an id: any entry of the content-type. */
export interface ChangedEntry {
  readonly type: ContentType
  readonly id: number | undefined
}

export interface ContentVersions {
  /** Called after each commit. `types`: content-types whose entries or links changed. */
  committed(types: Iterable<ContentType>, entries: Iterable<ChangedEntry>): void
  /**
   * A number that grows with each change of these content-types and with nothing else; undefined if other processes
   * may write to the database, too.
   */
  ofTypes(uids: readonly string[]): number | undefined
  /** The same for the values of one entry itself, without its relations and components. */
  ofEntry(uid: string, id: number): number | undefined
}

/** Entries of one content-type whose changes are counted one by one; beyond, all of them count as changed. */
const MAX_COUNTED_ENTRIES = 10_000

interface TypeVersion {
  /** Grows with each change of an entry or a link. */
  last: number
  /** The value of `last` when any entry may have changed. */
  any: number
  /** The value of `last` when the entry changed, by id. */
  readonly entries: Map<number, number>
}

const known = new WeakMap<Database, ContentVersions>()

export function contentVersions(database: Database): ContentVersions {
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
