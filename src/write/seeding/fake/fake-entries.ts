// Generates entries for `data.fake`: the same file always gives the same entries.

import type { Faker } from '@faker-js/faker'
import { everyPermission } from '../../../access/principal.ts'
import { attributeTypes } from '../../../attribute-types/attribute-types.ts'
import type { FakeConfig } from '../../../config/config.ts'
import { evaluateExpression } from '../../../expressions/evaluate-expression.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import type { Attribute } from '../../../model/attribute.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { ContributedEntry } from '../../../model/contribution.ts'
import type { DataEntry } from '../../../model/data/data-entry.ts'
import { findDataType } from '../../../model/data/find-data-type.ts'
import type { Model } from '../../../model/model.ts'
import { planWrite } from '../../../plan/write/plan-write.ts'
import { type MakeContext, makeFakeObject } from './fake-object.ts'
import { makeFakeScalar } from './fake-scalar.ts'
import { loadFakers } from './load-fakers.ts'
import { type Claims, createUsedValues } from './used-values.ts'

interface FakeInput {
  readonly fake: FakeConfig
  readonly model: Model
  readonly entries: readonly DataEntry[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** Attempts per entry while it breaks a rule. */
export const MAX_ATTEMPTS = 100

type Values = Record<string, unknown>

export async function makeFakeEntries({
  fake,
  model,
  entries,
  now,
}: FakeInput): Promise<readonly ContributedEntry[]> {
  const getFaker = await loadFakers()
  const counts = Object.entries(fake.counts).flatMap(([name, count]) => {
    const type = findDataType(name, model.contentTypes)
    return type === undefined ? [] : [{ type, name, count: roomFor(type, count, entries) }]
  })
  const ids = listIds(entries)
  // Ids come first, since entries may name any other.
  const planned = counts.flatMap(({ type, name, count }) => {
    const first = Math.max(0, ...(ids.get(type) ?? [])) + 1
    return Array.from({ length: count }, (_, index) => ({ type, name, index, id: first + index }))
  })
  for (const { type, id } of planned) ids.set(type, [...(ids.get(type) ?? []), id].slice(-MAX_CHOICES))
  const taken = createUsedValues()
  for (const { data, type } of entries) taken.note(type, [data])
  const failed = new Set<ContentType>()
  return planned.map(({ type, name, index, id }) => {
    const locales = listLocales(type)
    let data: Values = {}
    // After one failed entry, others of its type get one attempt to save time.
    const tries = failed.has(type) ? 1 : MAX_ATTEMPTS
    for (let attempt = 0; attempt < tries; attempt++) {
      const claims = taken.claim()
      const making = (locale: string | undefined): MakeContext => {
        const faker = getFaker(locale)
        faker.seed([fake.seed, computeHash(type.uid), index, attempt, computeHash(locale ?? '')])
        return getMaking(faker, { ids, claims, own: { type, id } })
      }
      const [first, ...others] = locales
      const made = makeFakeObject(type, making(first))
      const translations = others.map(
        (locale) => [locale, makeFakeObject(type, making(locale), isWorded)] as const,
      )
      data = first !== undefined && others.length > 0 ? byLocale(type, first, made, translations) : made
      const variants = [
        first === undefined ? made : { ...made, locale: first },
        ...translations.map(([locale, words]) => ({ ...made, ...words, locale })),
      ].map((one) => withDefaults(type, one, now))
      if (variants.every((one) => one !== undefined && keepsChecks(type, one)) && claims.sets(type, variants))
        break
      if (attempt === tries - 1) failed.add(type)
      else claims.release()
    }
    return { uid: type.uid, data: { ...data, id }, path: ['data', 'fake', name] }
  })
}

/** A relation chooses from the last entries only: choosing from all takes quadratic time. */
const MAX_CHOICES = 200

/** A single type needs at most one entry. */
function roomFor(type: ContentType, count: number, entries: readonly DataEntry[]): number {
  return type.kind === 'singleType' && entries.some((entry) => entry.type === type) ? 0 : count
}

function listIds(entries: readonly DataEntry[]): Map<ContentType, readonly number[]> {
  const ids = new Map<ContentType, number[]>()
  for (const { type, data } of entries) {
    const list = ids.get(type) ?? []
    ids.set(type, list)
    list.push(Number(data['id']))
  }
  return ids
}

interface EntrySources {
  readonly ids: ReadonlyMap<ContentType, readonly number[]>
  readonly claims: Claims
  readonly own: { readonly type: ContentType; readonly id: number }
}

function getMaking(faker: Faker, { ids, claims, own }: EntrySources): MakeContext {
  return {
    faker,
    idsFor(target, exclusive) {
      const all = ids.get(target) ?? []
      // Names earlier entries only, to avoid cycles.
      const allowed = target === own.type ? all.filter((id) => id < own.id) : all
      if (exclusive === undefined) return allowed
      const free = allowed.find((id) => claims.take(exclusive, id))
      return free === undefined ? [] : [free]
    },
    scalar(schema, attribute) {
      // A datetime's own default is better than a fake value, and a slug needs its text.
      const { column, slug } = attributeTypes[attribute.type]
      if (attribute.computed !== undefined) return undefined
      if (attribute.default !== undefined && (column === 'datetime' || column === 'boolean')) return undefined
      if (slug && attribute.targetField !== undefined) return undefined
      const name = schema.uid.slice(schema.uid.lastIndexOf('.') + 1)
      let value = makeFakeScalar(faker, attribute, name)
      if (!attribute.unique) return value
      for (let tries = 1; tries < MAX_ATTEMPTS && value !== undefined; tries++) {
        if (claims.take(attribute, value)) return value
        value = makeFakeScalar(faker, attribute, name)
      }
      // For a required attribute, a taken value gives a clearer fault than a missing one.
      return attribute.required ? value : undefined
    },
  }
}

/** The default locale first; empty for types without locales. */
function listLocales({ locale }: ContentType): readonly string[] {
  if (locale === undefined) return []
  const standard = String(locale.default)
  return [standard, ...(locale.enum ?? []).filter((code) => code !== standard)]
}

/** Texts differ by locale; other localized attributes get one value. */
function isWorded(attribute: Attribute): boolean {
  return (
    attribute.kind === 'scalar' &&
    attribute.localized &&
    attributeTypes[attribute.type].column === 'text' &&
    attribute.enum === undefined
  )
}

function byLocale(
  type: ContentType,
  first: string,
  data: Values,
  translations: readonly (readonly [string, Values])[],
): Values {
  const values: Values = { ...data }
  for (const attribute of type.attributes.values()) {
    if (!isWorded(attribute) || data[attribute.name] === undefined) continue
    const others = translations.map(([locale, made]) => [locale, made[attribute.name]])
    values[attribute.name] = { [first]: data[attribute.name], ...Object.fromEntries(others) }
  }
  return values
}

/** Undefined if the values break a rule. */
function withDefaults(type: ContentType, data: Values, now: number): Values | undefined {
  try {
    const options = { access: everyPermission, trusted: true, now, mode: 'create', draft: false } as const
    const { faults, dateFault, plan } = planWrite(type, data, options)
    if (faults.length > 0 || dateFault !== undefined) return undefined
    return { ...Object.fromEntries([...plan.values].map(([{ name }, value]) => [name, value])), ...data }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** As in the database, an unknown result counts as passed. */
function keepsChecks({ checks }: ContentType, entry: Values): boolean {
  return checks.every(({ expression }) => evaluateExpression(expression, { entry }) !== false)
}

/** FNV-1a, 32 bits. */
function computeHash(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash
}
