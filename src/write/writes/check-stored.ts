// Checks a write for taken unique values and missing related entries.

import { createValidationErrors, type ErrorItem } from '../../lib/errors/api-error.ts'
import { invariant } from '../../lib/errors/invariant.ts'
import type { Access } from '../../model/access.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { AttributeSet, ContentType, Schema } from '../../model/content-type.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import { NO_ENTRY } from '../../plan/parse-id.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { GeneratedUid, LinkWrite, MorphWrite, WritePlan } from '../../plan/write/write-plan.ts'
import { run, type Work } from '../../storage/database.ts'
import type { ComponentStep } from '../../storage/sql/compile-document-write.ts'
import { buildNextSuffixValues } from '../../storage/sql/compile-next-suffix.ts'
import type { SqlRow, SqlValue } from '../../storage/sql/statement.ts'
import type { Storage } from '../storage.ts'
import { findVisibleIds } from './check-access.ts'
import { createSetFault, createUniqueFault } from './check-together.ts'
import { readPlacedComponents } from './write-components.ts'

/**
 * Compares components of the same payload too. `own`: the updated entry. Values that this write replaces do
 * not count.
 */
export function* checkUnique(storage: Storage, plan: WritePlan, own: number): Work<readonly ErrorItem[]> {
  const type = isContentType(plan.schema) && plan.schema.document !== undefined ? plan.schema : undefined
  const document = type === undefined ? undefined : { type, own, locale: localeValue(type, plan) }
  return yield* checkSchema({ storage, seen: new Map(), document }, plan, own, [], [])
}

interface CheckContext {
  readonly storage: Storage
  /** The first occurrence, by table, column and value, in documents also by path; undefined once reported. */
  readonly seen: Map<string, readonly string[] | undefined>
  /**
   * The written document: its components' values must differ from those of other documents of the type, in
   * the same locale, at the same path; empty text is exempt.
   */
  readonly document:
    | { readonly type: ContentType; readonly own: number; readonly locale: PlanValue }
    | undefined
}

function* checkSchema(
  checking: CheckContext,
  plan: WritePlan,
  own: number,
  replaced: readonly number[],
  places: readonly ComponentStep[],
): Work<readonly ErrorItem[]> {
  const { storage, seen, document } = checking
  const faults: ErrorItem[] = []
  for (const { attribute, path } of plan.uniques) {
    const value = plan.values.get(attribute)
    if (value === undefined || value === null || (document !== undefined && value === '')) continue
    const where =
      document === undefined
        ? plan.schema.collectionName
        : places.map(({ field, component }) => [field, component.uid])
    const key = JSON.stringify([where, attribute.name, String(value)])
    const taken =
      document === undefined || places.length === 0
        ? yield* takenBy(storage, plan, attribute, value, own)
        : yield* takenAtPlace(storage, document, places, attribute, value)
    const isTakenHere = seen.has(key)
    const first = seen.get(key)
    // Two equal values in one payload are both faults.
    if (first !== undefined) faults.push(createUniqueFault(first))
    const isFault = isTakenHere || (taken !== undefined && !replaced.includes(taken))
    if (isFault) faults.push(createUniqueFault(path))
    seen.set(key, isFault ? undefined : path)
  }
  const alone = isContentType(plan.schema) && plan.schema.document?.versions !== true
  for (const set of alone ? plan.schema.uniqueSets : []) {
    if (yield* isTaken(storage, plan, set, own)) faults.push(createSetFault(set))
  }
  for (const { attribute, rows } of plan.components) {
    const before = own === NO_ENTRY ? [] : yield* readPlacedComponents(storage, attribute, own)
    const kept = new Set(rows.map(({ id }) => id))
    for (const row of rows) {
      const gone = before.filter(({ component, id }) => component === row.component && !kept.has(id))
      const ids = gone.map(({ id }) => id)
      const place = { table: storage.getPlaces(attribute), field: attribute.name, component: row.component }
      const within = document === undefined ? places : [...places, place]
      for (const fault of yield* checkSchema(checking, row.plan, row.id ?? NO_ENTRY, ids, within))
        faults.push(fault)
    }
  }
  return faults
}

/** Returns another document's id. */
function* takenAtPlace(
  { statements }: Storage,
  { type, own, locale }: NonNullable<CheckContext['document']>,
  places: readonly ComponentStep[],
  attribute: ScalarAttribute,
  value: PlanValue,
): Work<number | undefined> {
  const values: SqlValue[] = [statements.encode(attribute, value), own]
  if (type.locale !== undefined) values.push(own, statements.encode(type.locale, locale))
  const [taken] = yield* run(statements.withComponentValue(type, places, attribute), values)
  return taken === undefined ? undefined : Number(taken[0])
}

function* takenBy(
  storage: Storage,
  plan: WritePlan,
  attribute: ScalarAttribute,
  value: PlanValue,
  own: number,
): Work<number | undefined> {
  const [taken] = yield* entriesWith(storage, plan, [attribute], new Map([[attribute, value]]), own)
  return taken === undefined ? undefined : Number(taken[0])
}

/** Sets with relations are checked when links are written, those with a generated value by their index. */
function* isTaken(storage: Storage, plan: WritePlan, set: AttributeSet, own: number): Work<boolean> {
  const { values } = plan
  const scalars = set.filter((attribute) => attribute.kind === 'scalar')
  const given = scalars.filter((attribute) => values.has(attribute))
  if (scalars.length < set.length || given.length === 0) return false
  if (own === NO_ENTRY && given.length < scalars.length) return false
  if (given.some((attribute) => values.get(attribute) === null)) return false
  const named = new Map(given.map((attribute) => [attribute, values.get(attribute) ?? null]))
  return (yield* entriesWith(storage, plan, scalars, named, own)).length > 0
}

/**
 * Returns at most one entry. Omitted values are the entry's own. In localized types, only the same locale
 * counts.
 */
function* entriesWith(
  { statements }: Storage,
  { schema, values }: WritePlan,
  attributes: readonly ScalarAttribute[],
  given: ReadonlyMap<ScalarAttribute, PlanValue>,
  own: number,
): Work<readonly SqlRow[]> {
  const locale = getLocale(schema)
  const bound: SqlValue[] = [own]
  for (const attribute of attributes) {
    const value = given.get(attribute)
    bound.push(value === undefined ? own : statements.encode(attribute, value))
  }
  if (locale !== undefined) bound.push(own, statements.encode(locale, values.get(locale) ?? null))
  const statement = statements.withValues(schema, attributes, new Set(given.keys()), locale)
  return yield* run(statement, bound)
}

function localeValue({ locale }: ContentType, { values }: WritePlan): PlanValue {
  return locale === undefined ? null : (values.get(locale) ?? null)
}

function getLocale(schema: Schema): ScalarAttribute | undefined {
  return isContentType(schema) ? schema.locale : undefined
}

/** One fault per content-type; hidden entries count as missing. */
export function* checkRelatedExist(
  storage: Storage,
  links: readonly LinkWrite[],
  morphs: readonly MorphWrite[],
): Work<readonly ErrorItem[]> {
  const named = new Map<Access, Map<ContentType, number[]>>()
  const add = (access: Access, type: ContentType, ids: readonly number[]): void => {
    const byType = named.get(access) ?? new Map<ContentType, number[]>()
    named.set(access, byType)
    const before = byType.get(type) ?? []
    byType.set(type, before)
    for (const id of ids) before.push(id)
  }
  for (const { change, access } of morphs) {
    const targets = change.kind === 'set' ? change.targets : [...change.connect, ...change.disconnect]
    for (const { type, id } of targets) add(access, type, [id])
  }
  for (const { attribute, change, access } of links) {
    invariant(attribute.target !== undefined, `${attribute.name} has no one target`)
    // A missing id in `disconnect` is most likely a typing error.
    const ids =
      change.kind === 'set' ? change.ids : [...change.connect.map(({ id }) => id), ...change.disconnect]
    if (ids.length > 0) add(access, attribute.target, ids)
  }
  const faults: ErrorItem[] = []
  for (const [access, byType] of named) {
    for (const [target, ids] of byType) {
      const found = yield* findVisibleIds(storage, access, target, ids)
      const missing = new Set(ids.filter((id) => !found.has(id))).size
      if (missing === 0) continue
      const message = `${missing} relation(s) of type ${target.uid} associated with this entity do not exist`
      faults.push({ path: [], message, name: 'ValidationError' })
    }
  }
  return faults
}

/** Appends the first free number: `chez-nous`, `chez-nous-1`, … */
export function* generateUid(
  { statements }: Storage,
  { schema, values }: WritePlan,
  { attribute, slug, numbered }: GeneratedUid,
): Work<string> {
  const locale = getLocale(schema)
  const statement = statements.nextSuffix(schema, attribute, locale)
  const within = locale === undefined ? undefined : String(values.get(locale) ?? '')
  const { maxLength = Number.POSITIVE_INFINITY } = attribute
  let base = slug
  while (base !== '') {
    const [row] = yield* run(statement, buildNextSuffixValues(base, within))
    const isFree = base === slug && Number(row?.[0]) === 0 && !numbered
    const candidate = isFree ? base : `${base}-${Number(row?.[1])}`
    if (candidate.length <= maxLength) return candidate
    base = base.slice(0, Math.max(0, maxLength - (candidate.length - base.length)))
  }
  const message = `${attribute.name} must be given: every value of at most ${maxLength} characters made from "${slug}" is taken`
  throw createValidationErrors([{ path: [attribute.name], message, name: 'ValidationError' }])
}
