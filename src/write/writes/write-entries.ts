// Writes a WritePlan in one transaction. Database checks run first; their faults join the payload's.

import { ApiError, createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { ContentType, Schema } from '../../model/content-type.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import { NO_ENTRY } from '../../plan/parse-id.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { LinkWrite, MorphWrite, PlannedPayload, WritePlan } from '../../plan/write/write-plan.ts'
import { run, runAll, type Work } from '../../storage/database.ts'
import type { SqlValue } from '../../storage/sql/statement.ts'
import { listNamesWithoutColumn } from '../recorded-changes.ts'
import type { Storage } from '../storage.ts'
import { assertMayTake, assertPlacesVisible } from './check-access.ts'
import { assertChecks } from './check-entries.ts'
import { checkFileTypes } from './check-files.ts'
import { checkRelatedExist, checkUnique, generateUid } from './check-stored.ts'
import { assertTogether, lockTogether } from './check-together.ts'
import { findLocaleVariants, joinLocaleVariants, keepInStep } from './localize-entries.ts'
import { touchInverse } from './touch-entries.ts'
import { deleteComponents, writeComponents } from './write-components.ts'
import { writeLinks } from './write-links.ts'
import { writeMorphs } from './write-morphs.ts'

export function* createEntry(storage: Storage, outcome: PlannedPayload): Work<number> {
  yield* assertStorable(storage, outcome, NO_ENTRY)
  return yield* insertSchemaRow(storage, outcome.plan)
}

export function* createLocalized(
  storage: Storage,
  type: ContentType,
  outcome: PlannedPayload,
  joined: readonly number[],
): Work<number> {
  if (joined.length === 0 && type.kind === 'collectionType') {
    const id = yield* createEntry(storage, outcome)
    yield* assertTogether(storage, outcome.plan, [id])
    yield* assertChecks(storage, type, [id])
    return id
  }
  const { variants, faults } = yield* findLocaleVariants(storage, type, outcome, joined)
  const id = yield* createEntry(storage, { ...outcome, faults: [...outcome.faults, ...faults] })
  yield* joinLocaleVariants(storage, type, outcome.plan, id, variants)
  yield* assertTogether(storage, outcome.plan, [id, ...variants])
  yield* assertChecks(storage, type, [id, ...variants])
  return id
}

/** Returns false when the entry no longer exists. */
export function* updateEntry(
  storage: Storage,
  type: ContentType,
  outcome: PlannedPayload,
  id: number,
): Work<boolean> {
  yield* assertStorable(storage, outcome, id)
  if (!(yield* updateSchemaRow(storage, outcome.plan, id))) return false
  const variants = yield* keepInStep(storage, type, outcome.plan, id)
  yield* assertTogether(storage, outcome.plan, [id, ...variants])
  yield* assertChecks(storage, type, [id, ...variants])
  return true
}

/** Other writes wait until the transaction ends. */
export function* lockEntry(storage: Storage, type: ContentType, id: number): Work<void> {
  const statement = storage.statements.lockRow(type)
  if (statement !== undefined) yield* run(statement, [id])
}

const LOCKS_TOGETHER = 500

/** In the order of the ids, in which every transaction takes them. */
export function* lockRows(storage: Storage, type: ContentType, ids: readonly number[]): Work<void> {
  const statement = storage.statements.lockRow(type)
  if (statement === undefined) return
  for (let start = 0; start < ids.length; start += LOCKS_TOGETHER) {
    const together = ids.slice(start, start + LOCKS_TOGETHER)
    yield* runAll(together.map((id) => ({ statement, values: [id] })))
  }
}

export function* deleteEntry(storage: Storage, type: ContentType, id: number): Work<boolean> {
  const { statements } = storage
  for (const table of storage.morphTables)
    yield* run(statements.releaseMorphs(table), [type.uid, statements.encodeIds([id])])
  yield* deleteComponents(storage, type, id)
  const rows = yield* run(statements.deleteRow(type), [id])
  return rows.length > 0
}

function* assertStorable(storage: Storage, outcome: PlannedPayload, own: number): Work<void> {
  const { plan, dateFault, moreFaults } = outcome
  yield* lockTogether(storage, plan)
  const faults = [...outcome.faults, ...(yield* checkUnique(storage, plan, own))]
  const links = listLinks(plan)
  const morphs = listMorphs(plan)
  // While seeding, related entries may not exist yet.
  const relates = (links.length > 0 || morphs.length > 0) && storage.waitingLinks === undefined
  if (relates) {
    faults.push(...(yield* checkFileTypes(storage, links)))
    faults.push(...(yield* checkRelatedExist(storage, links, morphs)))
  }
  if (faults.length > 0) throw createValidationErrors(byAttribute(plan.schema, faults), moreFaults)
  if (dateFault !== undefined) throw new ApiError('ValidationError', dateFault)
  if (!relates) return
  yield* assertPlacesVisible(storage, plan)
  yield* assertMayTake(storage, outcome, own)
}

function listLinks(plan: WritePlan): readonly LinkWrite[] {
  if (plan.components.length === 0) return plan.links
  return [...plan.links, ...plan.components.flatMap(({ rows }) => rows.flatMap((row) => listLinks(row.plan)))]
}

function listMorphs(plan: WritePlan): readonly MorphWrite[] {
  if (plan.components.length === 0) return plan.morphs
  return [
    ...plan.morphs,
    ...plan.components.flatMap(({ rows }) => rows.flatMap((row) => listMorphs(row.plan))),
  ]
}

/** Sorts by the order of the attributes; faults of the whole payload come last, as in Strapi. */
function byAttribute(schema: Schema, faults: readonly ErrorItem[]): readonly ErrorItem[] {
  const order = [...schema.attributes.keys()]
  const place = ({ path: [name] }: ErrorItem): number =>
    name === undefined ? order.length : order.indexOf(name)
  return [...faults].sort((a, b) => place(a) - place(b))
}

export function* insertSchemaRow(storage: Storage, plan: WritePlan): Work<number> {
  const values = new Map<ScalarAttribute, PlanValue>(plan.values)
  for (const generated of plan.generated) {
    values.set(generated.attribute, yield* generateUid(storage, plan, generated))
  }
  const columns = [...values.keys()]
  const rows = yield* run(storage.statements.insertRow(plan.schema, columns), encoded(storage, values))
  const id = Number(rows[0]?.[0])
  yield* writeMembers(storage, plan, id, true)
  return id
}

export function* updateSchemaRow(storage: Storage, plan: WritePlan, id: number): Work<boolean> {
  const columns = [...plan.values.keys()]
  const { statements } = storage
  const others = isContentType(plan.schema) ? listNamesWithoutColumn(plan) : undefined
  const statement = statements.updateRow(plan.schema, columns, plan.changes, others)
  const operands = [...plan.changes].flatMap(([attribute, change]) =>
    statements.encodeChange(attribute, change),
  )
  const rows = yield* run(statement, [...encoded(storage, plan.values), ...operands, id])
  if (rows.length === 0) return false
  if (plan.changes.size > 0) yield* assertChanged(storage, plan, id)
  yield* writeMembers(storage, plan, id, false)
  return true
}

/** Throws ValidationError if a changed value breaks a rule of its attribute. */
function* assertChanged({ statements }: Storage, { schema, changes }: WritePlan, id: number): Work<void> {
  const faults: ErrorItem[] = []
  for (const [attribute, { findFaults }] of changes) {
    const [row] = yield* run(statements.getValues(schema, attribute), [statements.encodeIds([id])])
    for (const message of findFaults(row?.[1] ?? null))
      faults.push({ path: [attribute.name], message, name: 'ValidationError' })
  }
  if (faults.length > 0) throw createValidationErrors(faults)
}

function* writeMembers(storage: Storage, plan: WritePlan, id: number, isNew: boolean): Work<void> {
  const owner = isContentType(plan.schema) ? plan.schema : undefined
  for (const link of plan.links) {
    if (storage.waitingLinks === undefined) {
      const linked = yield* writeLinks(storage, id, link, isNew, owner)
      if (owner !== undefined) yield* touchInverse(storage, link.attribute, linked)
    } else storage.waitingLinks.push({ ownId: id, link })
  }
  for (const morph of plan.morphs) {
    if (storage.waitingLinks === undefined) yield* writeMorphs(storage, id, morph)
    else storage.waitingLinks.push({ ownId: id, morph })
  }
  for (const components of plan.components) {
    yield* writeComponents(storage, id, components, { insert: insertSchemaRow, update: updateSchemaRow })
  }
}

function encoded(storage: Storage, values: ReadonlyMap<ScalarAttribute, PlanValue>): SqlValue[] {
  return [...values].map(([attribute, value]) => storage.statements.encode(attribute, value))
}

export function* readState(
  storage: Storage,
  type: ContentType,
  id: number,
): Work<{ readonly draft: boolean } | undefined> {
  const rows = yield* run(storage.statements.getState(type, type.publishedAt), [id])
  const [row] = rows
  return row === undefined ? undefined : { draft: type.publishedAt !== undefined && row[1] === null }
}

export function createNotFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
