// Checks the version of an entry that a caller names.

import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { buildVersionTag } from '../../lib/version-tag.ts'
import type { Access } from '../../model/access.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import { listWrittenNames } from '../recorded-changes.ts'
import type { Storage } from '../storage.ts'
import { lockEntry } from './write-entries.ts'

interface VersionCheck {
  readonly type: ContentType
  /** The entry first; then the other versions of its document that are deleted with it. */
  readonly ids: readonly number[]
  /** The caller's versions: one must be the entry's. */
  readonly versions: readonly number[]
  /** Undefined for a deletion, which conflicts with every change. */
  readonly plan: WritePlan | undefined
  readonly access: Access
}

/** Locks the entry against other writes. Throws PreconditionFailedError if it has another version. */
export function* assertVersion(storage: Storage, check: VersionCheck): Work<void> {
  const { type, ids, versions } = check
  const { statements } = storage
  for (const id of ids) yield* lockEntry(storage, type, id)
  const listed = [statements.encodeIds(ids)]
  const numbers = yield* run(statements.getValues(type, type.revision.number), listed)
  // A draft may be ahead of its published version.
  const version = Math.max(1, ...numbers.map(([, number]) => Number(number ?? 0) + 1))
  if (versions.includes(version)) return
  const texts = yield* run(statements.getValues(type, type.revision.changes), listed)
  const changes = mergeChanges(texts.map(([, text]) => text))
  const since = Math.max(0, ...versions.filter((one) => one < version))
  throw createConflict(version, yield* listConflicts(storage, check, changes, since))
}

function createConflict(version: number, attributes: readonly string[]): ApiError {
  const names = attributes.length === 0 ? '' : `, which changed ${attributes.join(', ')}`
  const message = `The entry has version ${version}${names}: read it again`
  return new ApiError(
    'PreconditionFailedError',
    message,
    { version, attributes },
    { etag: buildVersionTag(version) },
  )
}

/** The version of the last change by attribute. */
type Changes = ReadonlyMap<string, number>

/** Of several rows of a document the last change counts. */
function mergeChanges(texts: readonly unknown[]): Changes {
  const merged = new Map<string, number>()
  for (const text of texts) {
    const changes: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
    for (const [name, version] of Object.entries(isRecord(changes) ? changes : {}))
      merged.set(name, Math.max(Number(version), merged.get(name) ?? 0))
  }
  return merged
}

/** The attributes that others have changed since, and that the caller would change to another value. */
function* listConflicts(
  { statements }: Storage,
  { type, ids, plan, access }: VersionCheck,
  changes: Changes,
  since: number,
): Work<readonly string[]> {
  const readable = access.readable(type, 'findOne')
  const written = plan === undefined ? [...type.attributes.keys()] : listWrittenNames(plan)
  const conflicts: string[] = []
  for (const name of written) {
    const attribute = type.attributes.get(name)
    if (attribute === undefined || attribute.private || readable?.has(name) === false) continue
    if ((changes.get(name) ?? 0) <= since) continue
    const value = attribute.kind === 'scalar' ? plan?.values.get(attribute) : undefined
    if (attribute.kind === 'scalar' && value !== undefined) {
      const [row] = yield* run(statements.getValues(type, attribute), [statements.encodeIds(ids.slice(0, 1))])
      if (String(row?.[1] ?? null) === String(statements.encode(attribute, value))) continue
    }
    conflicts.push(name)
  }
  return conflicts
}
