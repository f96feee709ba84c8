// Plausible entries for `data.fake`: the same for the same file, as a start of the service and `validate` make them.

import type { Faker } from '@faker-js/faker'
import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import { everyPermission } from '../../auth/principal.ts'
import type { FakeConfig } from '../../config/config.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Attribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { GivenEntry } from '../../model/contribution.ts'
import type { DataEntry } from '../../model/data/data-entry.ts'
import { findDataType } from '../../model/data/find-data-type.ts'
import type { Model } from '../../model/model.ts'
import { planWrite } from '../../plan/plan-write.ts'
import { fakeObject, type Making } from './fake-object.ts'
import { fakeScalar } from './fake-scalar.ts'
import { loadFakers } from './load-fakers.ts'

export interface FakeInput {
  readonly fake: FakeConfig
  readonly model: Model
  /** The entries that the file writes out. */
  readonly entries: readonly DataEntry[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** An entry is made anew so often if it breaks a rule; the last is then reported by storing it. */
const TRIES = 30

type Values = Record<string, unknown>

export async function fakeEntries({ fake, model, entries, now }: FakeInput): Promise<readonly GivenEntry[]> {
  const fakerOf = await loadFakers()
  const counts = Object.entries(fake.counts).flatMap(([name, count]) => {
    const type = findDataType(name, model.contentTypes)
    return type === undefined ? [] : [{ type, name, count: roomFor(type, count, entries) }]
  })
  const ids = idsOf(entries)
  // Ids come first, since entries may name any other.
  const planned = counts.flatMap(({ type, name, count }) => {
    const first = Math.max(0, ...(ids.get(type) ?? [])) + 1
    return Array.from({ length: count }, (_, index) => ({ type, name, index, id: first + index }))
  })
  for (const { type, id } of planned) ids.set(type, [...(ids.get(type) ?? []), id].slice(-MOST_NAMED))
  const taken = new Map<Attribute, Set<unknown>>()
  for (const { data, type } of entries) noteValues(type, data, taken)
  const named = new Map<string, Set<number>>()
  return planned.map(({ type, name, index, id }) => {
    const locales = localesOf(type)
    let data: Values = {}
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const making = (locale: string | undefined): Making => {
        const faker = fakerOf(locale)
        faker.seed([fake.seed, hashOf(type.uid), index, attempt, hashOf(locale ?? '')])
        return makingOf(faker, { ids, taken, named, own: { type, id } })
      }
      const [first, ...others] = locales
      data = fakeObject(type, making(first))
      const accepted = isAccepted(type, first === undefined ? data : { ...data, locale: first }, now)
      const translations = others.map(
        (locale) => [locale, fakeObject(type, making(locale), isWorded)] as const,
      )
      if (first !== undefined && others.length > 0) data = byLocale(type, first, data, translations)
      if (accepted) break
    }
    return { uid: type.uid, data: { ...data, id }, path: ['data', 'fake', name] }
  })
}

/** A relation chooses from so many entries, the last ones: choosing from all would take the square of their number. */
const MOST_NAMED = 200

/** A single type that the file writes out needs no other. */
function roomFor(type: ContentType, count: number, entries: readonly DataEntry[]): number {
  return type.kind === 'singleType' && entries.some((entry) => entry.type === type) ? 0 : count
}

function idsOf(entries: readonly DataEntry[]): Map<ContentType, readonly number[]> {
  const ids = new Map<ContentType, number[]>()
  for (const { type, data } of entries) {
    const list = ids.get(type) ?? []
    ids.set(type, list)
    list.push(Number(data['id']))
  }
  return ids
}

interface Known {
  readonly ids: ReadonlyMap<ContentType, readonly number[]>
  readonly taken: Map<Attribute, Set<unknown>>
  readonly named: Map<string, Set<number>>
  readonly own: { readonly type: ContentType; readonly id: number }
}

function makingOf(faker: Faker, { ids, taken, named, own }: Known): Making {
  return {
    faker,
    idsFor(target, exclusive) {
      const all = ids.get(target) ?? []
      // Entries of one content-type name earlier ones only, so that there are no circles.
      const allowed = target === own.type ? all.filter((id) => id < own.id) : all
      if (exclusive === undefined) return allowed
      const before = named.get(exclusive) ?? new Set()
      named.set(exclusive, before)
      const free = allowed.filter((id) => !before.has(id)).slice(0, 1)
      for (const id of free) before.add(id)
      return free
    },
    scalar(holder, attribute) {
      // A moment with a default of its own is better than one that is made up, and a slug than one without its text.
      const { column, slug } = attributeTypes[attribute.type]
      if (attribute.computed !== undefined) return undefined
      if (attribute.default !== undefined && (column === 'datetime' || column === 'boolean')) return undefined
      if (slug && attribute.targetField !== undefined) return undefined
      const name = holder.uid.slice(holder.uid.lastIndexOf('.') + 1)
      if (!attribute.unique) return fakeScalar(faker, attribute, name)
      const before = taken.get(attribute) ?? new Set()
      taken.set(attribute, before)
      for (let tries = 0; tries < TRIES; tries++) {
        const value = fakeScalar(faker, attribute, name)
        if (value === undefined || !before.has(value)) {
          before.add(value)
          return value
        }
      }
      return undefined
    },
  }
}

function noteValues(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  taken: Map<Attribute, Set<unknown>>,
): void {
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'scalar' || !attribute.unique) continue
    const values = taken.get(attribute) ?? new Set()
    taken.set(attribute, values)
    values.add(data[attribute.name])
  }
}

/** The default locale first; none if entries have no locale. Without a list of locales, only the default one. */
function localesOf({ locale }: ContentType): readonly string[] {
  if (locale === undefined) return []
  const standard = String(locale.default)
  return [standard, ...(locale.enum ?? []).filter((code) => code !== standard)]
}

/** Texts are made in each locale; what else is localized has one value in all. */
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

function isAccepted(type: ContentType, data: Values, now: number): boolean {
  try {
    const question = { access: everyPermission, trusted: true, now, mode: 'create', draft: false } as const
    const { faults, dateFault } = planWrite(type, data, question)
    return faults.length === 0 && dateFault === undefined
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash
}
