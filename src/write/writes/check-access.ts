// Checks access to other entries in a payload: hidden drafts count as missing, and moving a link requires
// permission to update one of its ends.

import { ApiError } from '../../lib/errors/api-error.ts'
import type { Access } from '../../model/access.ts'
import type { RelationAttribute } from '../../model/attribute.ts'
import { hasVersions } from '../../model/content-rules.ts'
import type { ContentType } from '../../model/content-type.ts'
import { hidesSome } from '../../plan/conditions/plan-visibility.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import type { Connection, MorphWrite, PlannedPayload, WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import { mapToVersion } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { createNotConnected } from './connect-in-order.ts'
import { belongsToOne } from './write-links.ts'
import { getShownByOne } from './write-morphs.ts'

export function* findVisibleIds(
  storage: Storage,
  access: Access,
  type: ContentType,
  ids: readonly number[],
): Work<ReadonlySet<number>> {
  const { statements } = storage
  if (hidesSome(access, type)) {
    const seen = yield* storage.visibleIds(type, ids, access)
    if (!hasVersions(type)) return seen
    // A document is named by its draft; without access to drafts, by its published version.
    const published = yield* mapToVersion(storage, type, ids, 'published')
    const shown = yield* storage.visibleIds(type, [...published.values()], access)
    return new Set(ids.filter((id) => seen.has(id) || shown.has(published.get(id) ?? 0)))
  }
  const rows = yield* run(statements.existing(type), [statements.encodeIds(ids)])
  return new Set(rows.map((row) => Number(row[0])))
}

/** Refuses positions beside a hidden draft: they would show where the draft is linked. */
export function* assertPlacesVisible(storage: Storage, { links, morphs }: WritePlan): Work<void> {
  for (const { attribute, change, access } of links)
    if (change.kind === 'change' && attribute.target !== undefined)
      yield* assertBesideVisible(storage, access, attribute.target, change.connect)
  for (const { attribute, change, access } of morphs) {
    if (change.kind === 'set') continue
    for (const type of attribute.targets) {
      const beside = change.connect.filter(({ position }) => 'id' in position && position.type === type)
      yield* assertBesideVisible(storage, access, type, beside)
    }
  }
}

function* assertBesideVisible(
  storage: Storage,
  access: Access,
  target: ContentType,
  connect: readonly Connection[],
): Work<void> {
  if (!hidesSome(access, target)) return
  const placed = connect.flatMap((connection) => {
    const { position } = connection
    return 'id' in position ? [{ connection, beside: position.id }] : []
  })
  if (placed.length === 0) return
  const asked = placed.map(({ beside }) => beside)
  const visible = yield* findVisibleIds(storage, access, target, asked)
  for (const { connection, beside } of placed) if (!visible.has(beside)) throw createNotConnected(connection)
}

interface Owner {
  /** Undefined if the configuration no longer has the owner's type. */
  readonly type: ContentType | undefined
  readonly id: number
}

/**
 * Throws if the caller may update neither the linked entry nor its present owner. `own`: the written entry.
 */
export function* assertMayTake(storage: Storage, { plan }: PlannedPayload, own: number): Work<void> {
  const { schema } = plan
  if (!isContentType(schema)) return
  for (const { attribute, target, id, access } of listClaims(plan)) {
    if (yield* mayUpdateOne(storage, access, target, id)) continue
    for (const owner of yield* readOwners(storage, schema, attribute, target, id)) {
      if (owner.type === undefined || (owner.type === schema && owner.id === own)) continue
      if (!(yield* mayUpdateOne(storage, access, owner.type, owner.id)))
        throw createForbiddenError(attribute.name)
    }
  }
}

/** A conditional right to update needs a rule about the entry alone, which it meets. */
function* mayUpdateOne(storage: Storage, access: Access, type: ContentType, id: number): Work<boolean> {
  if (access.mayUpdate(type)) return true
  const rule = access.writeRule(type, 'update')
  const anyOf = rule?.alternatives.flatMap(({ where, check, fields }) =>
    where === undefined || check !== undefined || fields !== undefined ? [] : [where],
  )
  if (rule === undefined || anyOf === undefined || anyOf.length === 0) return false
  return (yield* storage.idsUnder(type, [id], anyOf, rule.variables)).has(id)
}

interface LinkClaim {
  readonly attribute: RelationAttribute
  readonly target: ContentType
  readonly id: number
  readonly access: Access
}

function listClaims({ links, morphs }: WritePlan): readonly LinkClaim[] {
  const fromLinks = links.flatMap(({ attribute, change, access }) => {
    if (attribute.kind === 'media' || attribute.target === undefined || !belongsToOne(attribute)) return []
    const target = attribute.target
    const ids = change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id)
    return ids.map((id) => ({ attribute, target, id, access }))
  })
  const fromMorphs = morphs.flatMap(({ attribute, change, access }: MorphWrite) => {
    const targets = change.kind === 'set' ? change.targets : change.connect
    return targets.map(({ type: target, id }) => ({ attribute, target, id, access }))
  })
  return [...fromLinks, ...fromMorphs]
}

function* readOwners(
  storage: Storage,
  schema: ContentType,
  attribute: RelationAttribute,
  target: ContentType,
  id: number,
): Work<readonly Owner[]> {
  const { statements } = storage
  const back = attribute.target === undefined ? getShownByOne(attribute, target) : attribute.inverse
  if (back === undefined) return []
  if (back.target !== undefined) {
    const rows = yield* run(statements.linksFrom(storage.getLinkTable(back)), [id])
    return rows.map((row) => ({ type: schema, id: Number(row[0]) }))
  }
  const rows = yield* run(statements.morphsFrom(storage.getMorphs(back)), [id])
  return rows.map(([uid, owner]) => ({
    type: back.targets.find((candidate) => candidate.uid === uid),
    id: Number(owner),
  }))
}

function createForbiddenError(name: string): ApiError {
  return new ApiError(
    'ForbiddenError',
    `Forbidden: "${name}" takes an entry from another one, and you may update neither`,
  )
}
