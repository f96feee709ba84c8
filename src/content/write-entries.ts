// WritePlan -> rows, links and components, within one transaction (spec 4.1). Checks that need the database come
// first and are reported together with what was wrong with the payload itself.

import { run, type Work } from '../databases/database.ts'
import { ApiError, type ErrorItem, validationErrors } from '../errors/api-error.ts'
import type { ScalarAttribute } from '../model/attribute.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { PlanValue } from '../plan/read-plan.ts'
import type { LinkWrite, MorphWrite, WriteOutcome, WritePlan } from '../plan/write-plan.ts'
import type { SqlValue } from '../sql/statement.ts'
import { assertMayTake, assertPlacesVisible } from './check-access.ts'
import { checkFileTypes } from './check-files.ts'
import { checkRelatedExist, checkUnique, generateUid, NOBODY } from './check-stored.ts'
import { assertJoinable, joinSiblings, keepInStep } from './localize-entries.ts'
import type { Storage } from './storage.ts'
import { deleteComponents, writeComponents } from './write-components.ts'
import { writeLinks } from './write-links.ts'
import { writeMorphs } from './write-morphs.ts'

export function* createEntry(storage: Storage, outcome: WriteOutcome): Work<number> {
  yield* assertStorable(storage, outcome, NOBODY)
  return yield* insertHolder(storage, outcome.plan)
}

/** `joined`: entries of the same content in other locales. */
export function* createLocalized(
  storage: Storage,
  type: ContentType,
  outcome: WriteOutcome,
  joined: readonly number[],
): Work<number> {
  const members = yield* assertJoinable(storage, type, outcome, joined)
  const id = yield* createEntry(storage, outcome)
  yield* joinSiblings(storage, type, outcome.plan, id, members)
  return id
}

/** Answers false when the entry is gone. */
export function* updateEntry(
  storage: Storage,
  type: ContentType,
  outcome: WriteOutcome,
  id: number,
): Work<boolean> {
  yield* assertStorable(storage, outcome, id)
  if (!(yield* updateHolder(storage, outcome.plan, id))) return false
  yield* keepInStep(storage, type, outcome.plan, id)
  return true
}

/** From here on nobody else changes the entry until the transaction ends. */
export function* lockEntry(storage: Storage, type: ContentType, id: number): Work<void> {
  const statement = storage.statements.lockRow(type)
  if (statement !== undefined) yield* run(statement, [id])
}

export function* deleteEntry(storage: Storage, type: ContentType, id: number): Work<boolean> {
  for (const table of storage.morphTables) yield* run(storage.statements.releaseMorph(table), [type.uid, id])
  yield* deleteComponents(storage, type, id)
  const rows = yield* run(storage.statements.deleteRow(type), [id])
  return rows.length > 0
}

function* assertStorable(storage: Storage, outcome: WriteOutcome, own: number): Work<void> {
  const { plan, faults, moreFaults } = outcome
  const taken = yield* checkUnique(storage, plan, own)
  const all = byAttribute(plan.holder, [...faults, ...taken])
  if (all.length > 0) throw validationErrors(all, moreFaults)
  if (storage.waitingLinks !== undefined) return
  const links = linksOf(plan)
  const missing = yield* checkRelatedExist(storage, links, morphsOf(plan))
  if (missing.length > 0) throw validationErrors(missing)
  yield* assertPlacesVisible(storage, links)
  yield* assertMayTake(storage, outcome, own)
  const misplaced = yield* checkFileTypes(storage, links)
  if (misplaced.length > 0) throw validationErrors(misplaced)
}

function linksOf(plan: WritePlan): readonly LinkWrite[] {
  return [...plan.links, ...plan.components.flatMap(({ rows }) => rows.flatMap((row) => linksOf(row.plan)))]
}

function morphsOf(plan: WritePlan): readonly MorphWrite[] {
  return [...plan.morphs, ...plan.components.flatMap(({ rows }) => rows.flatMap((row) => morphsOf(row.plan)))]
}

/** In the order of the attributes, as Strapi reports them. */
function byAttribute(holder: AttributeHolder, faults: readonly ErrorItem[]): readonly ErrorItem[] {
  const order = [...holder.attributes.keys()]
  const place = (item: ErrorItem): number => order.indexOf(item.path[0] ?? '')
  return [...faults].sort((a, b) => place(a) - place(b))
}

export function* insertHolder(storage: Storage, plan: WritePlan): Work<number> {
  const values = new Map<ScalarAttribute, PlanValue>(plan.values)
  for (const { attribute, from } of plan.generated) {
    values.set(attribute, yield* generateUid(storage, plan, attribute, from))
  }
  const columns = [...values.keys()]
  const rows = yield* run(storage.statements.insertRow(plan.holder, columns), encoded(storage, values))
  const id = Number(rows[0]?.[0])
  yield* writeMembers(storage, plan, id)
  return id
}

export function* updateHolder(storage: Storage, plan: WritePlan, id: number): Work<boolean> {
  const columns = [...plan.values.keys()]
  const statement = storage.statements.updateRow(plan.holder, columns)
  const rows = yield* run(statement, [...encoded(storage, plan.values), id])
  if (rows.length === 0) return false
  yield* writeMembers(storage, plan, id)
  return true
}

function* writeMembers(storage: Storage, plan: WritePlan, id: number): Work<void> {
  for (const link of plan.links) {
    if (storage.waitingLinks === undefined) yield* writeLinks(storage, id, link)
    else storage.waitingLinks.push({ near: id, link })
  }
  for (const morph of plan.morphs) {
    if (storage.waitingLinks === undefined) yield* writeMorphs(storage, id, morph.attribute, morph.change)
    else storage.waitingLinks.push({ near: id, morph })
  }
  for (const components of plan.components) {
    yield* writeComponents(storage, id, components, { insert: insertHolder, update: updateHolder })
  }
}

function encoded(storage: Storage, values: ReadonlyMap<ScalarAttribute, PlanValue>): SqlValue[] {
  return [...values].map(([attribute, value]) => storage.statements.encode(attribute, value))
}

/** Whether the entry exists, and as what. */
export function* stateOf(
  storage: Storage,
  type: ContentType,
  id: number,
): Work<{ readonly draft: boolean } | undefined> {
  const rows = yield* run(storage.statements.stateOf(type, type.publishedAt), [id])
  const [row] = rows
  return row === undefined ? undefined : { draft: type.publishedAt !== undefined && row[1] === null }
}

export function notFound(): ApiError {
  return new ApiError('NotFoundError', 'Not Found')
}
