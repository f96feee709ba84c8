// Links the locale variants of an entry and keeps their shared attributes equal, within a write's
// transaction.

import { everyPermission } from '../../access/principal.ts'
import { ApiError, type ErrorItem } from '../../lib/errors/api-error.ts'
import type { Access } from '../../model/access.ts'
import type { Attribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import { getLocalizations, isShared } from '../../model/localizations.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { LocaleVariants } from '../../plan/write/write-building.ts'
import type { LinkWrite, PlannedPayload, WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import { listOtherLocales } from '../document-rows.ts'
import type { Storage } from '../storage.ts'
import { findVisibleIds } from './check-access.ts'
import { checkRelatedExist } from './check-stored.ts'
import { shareValues } from './share-values.ts'
import { writeLinks } from './write-links.ts'

export function* readLocaleVariants(
  storage: Storage,
  type: ContentType,
  id: number,
): Work<readonly number[]> {
  const localizations = getLocalizations(type)
  if (localizations === undefined) return []
  if (localizations.sameDocument !== undefined) return yield* listOtherLocales(storage, type, id)
  const rows = yield* run(storage.statements.linksFrom(storage.getLinkTable(localizations)), [id])
  return rows.map((row) => Number(row[0]))
}

/** Includes the ids themselves; for a single type all its entries that are not versions. */
export function* readAllLocaleVariants(
  storage: Storage,
  type: ContentType,
  ids: readonly number[],
): Work<readonly number[]> {
  const variants = new Set<number>()
  for (const id of ids) {
    variants.add(id)
    for (const variant of yield* readLocaleVariants(storage, type, id)) variants.add(variant)
  }
  if (type.kind === 'singleType' && type.document === undefined)
    for (const id of yield* everyId(storage, type)) variants.add(id)
  return [...variants]
}

/** For a single type, the first entry. Undefined if the caller sees no entry. */
export function* getSource(
  storage: Storage,
  type: ContentType,
  id: number | undefined,
  access: Access,
): Work<number | undefined> {
  const ids = id === undefined ? yield* everyId(storage, type) : [id]
  const visible = yield* findVisibleIds(storage, access, type, ids)
  return ids.find((candidate) => visible.has(candidate))
}

export function* readLocaleState(
  storage: Storage,
  type: ContentType,
  ids: readonly number[],
): Work<LocaleVariants | undefined> {
  if (ids.length === 0) return undefined
  if (type.publishedAt === undefined) return { published: true }
  const statement = storage.statements.getValues(type, type.publishedAt)
  const rows = yield* run(statement, [storage.statements.encodeIds(ids)])
  return { published: rows.some((row) => row[1] !== null) }
}

interface JoinContext {
  readonly variants: readonly number[]
  readonly faults: readonly ErrorItem[]
}

/** Throws when the locale is taken, or when a single type has an entry that the new one does not join. */
export function* findLocaleVariants(
  storage: Storage,
  type: ContentType,
  { plan, access }: PlannedPayload,
  joined: readonly number[],
): Work<JoinContext> {
  const { statements } = storage
  const lock = statements.lockTable(type)
  // If two requests create the same locale at once, the second waits here and then finds the entry of the first.
  if (lock !== undefined && (joined.length > 0 || type.kind === 'singleType')) yield* run(lock, [])
  if (joined.length === 0) {
    if (type.kind === 'singleType' && (yield* everyId(storage, type)).length > 0) throw alreadyThere()
    return { variants: [], faults: [] }
  }
  const named = namedLink(type, joined, access)
  const faults = named === undefined ? [] : yield* checkRelatedExist(storage, [named], [])
  if (faults.length > 0) return { variants: [], faults }
  const variants = yield* readAllLocaleVariants(storage, type, joined)
  if (type.locale === undefined) return { variants, faults }
  const rows = yield* run(statements.getValues(type, type.locale), [statements.encodeIds(variants)])
  const used: PlanValue[] = [...rows.map((row) => String(row[1])), plan.values.get(type.locale) ?? null]
  if (new Set(used).size < used.length) throw new ApiError('ApplicationError', 'locale is already used')
  return { variants, faults }
}

/** Copies omitted shared attributes from the first locale variant, and given ones to all. */
export function* joinLocaleVariants(
  storage: Storage,
  type: ContentType,
  plan: WritePlan,
  id: number,
  variants: readonly number[],
): Work<void> {
  const [source] = variants
  if (source === undefined) return
  yield* linkAll(storage, type, [id, ...variants])
  const given = givenBy(plan)
  const inherited = getShared(type).filter((attribute) => !given.has(attribute))
  yield* shareValues(storage, type, inherited, { from: source, to: id })
  yield* shareGiven(storage, type, plan, id, variants)
}

/** Returns the ids of all locale variants. */
export function* keepInStep(
  storage: Storage,
  type: ContentType,
  plan: WritePlan,
  id: number,
): Work<readonly number[]> {
  const variants = yield* readLocaleVariants(storage, type, id)
  if (variants.length > 0) yield* shareGiven(storage, type, plan, id, variants)
  return variants
}

/** Links the newest first, as Strapi does. */
function* linkAll(storage: Storage, type: ContentType, entries: readonly number[]): Work<void> {
  if (type.document !== undefined) return
  for (const id of entries) {
    const others = entries.filter((other) => other !== id)
    const link = namedLink(type, others, everyPermission)
    if (link !== undefined) yield* writeLinks(storage, id, link)
  }
}

function* shareGiven(
  storage: Storage,
  type: ContentType,
  plan: WritePlan,
  id: number,
  variants: readonly number[],
): Work<void> {
  const given = givenBy(plan)
  const shared = listSharedAttributes(type).filter((attribute) => given.has(attribute))
  if (shared.length === 0) return
  for (const variant of variants) {
    yield* shareValues(storage, type, [...shared, type.updatedAt], { from: id, to: variant })
  }
  const names = shared.map(({ name }) => name)
  yield* run(storage.statements.touchRows(type, names), [storage.statements.encodeIds(variants)])
}

export function sharesValues(type: ContentType, plan: WritePlan): boolean {
  const given = givenBy(plan)
  return listSharedAttributes(type).some((attribute) => given.has(attribute))
}

/** Excludes relations of documents, which each existing locale has for itself. */
export function listSharedAttributes(type: ContentType): readonly Attribute[] {
  const shared = getShared(type)
  return type.document === undefined ? shared : shared.filter(({ kind }) => kind !== 'relation')
}

function getShared(type: ContentType): readonly Attribute[] {
  return [...type.attributes.values()].filter(isShared)
}

/** Includes attributes generated from the payload. */
function givenBy({
  values,
  changes,
  generated,
  links,
  morphs,
  components,
}: WritePlan): ReadonlySet<Attribute> {
  const given = new Set<Attribute>([...values.keys(), ...changes.keys()])
  for (const { attribute } of [...generated, ...links, ...morphs, ...components]) given.add(attribute)
  return given
}

function namedLink(type: ContentType, ids: readonly number[], access: Access): LinkWrite | undefined {
  const attribute = getLocalizations(type)
  return attribute && { attribute, change: { kind: 'set', ids }, path: [attribute.name], access }
}

function* everyId(storage: Storage, type: ContentType): Work<readonly number[]> {
  const rows = yield* run(storage.statements.everyId(type), [])
  return rows.map((row) => Number(row[0]))
}

const ALREADY_THERE = 'singleType.alreadyExists'

function alreadyThere(): ApiError {
  return new ApiError('ValidationError', ALREADY_THERE)
}

export function isAlreadyThere(error: unknown): boolean {
  return error instanceof ApiError && error.message === ALREADY_THERE
}
