// Links all seeded localizations of an entry, even if only one names the others. Each keeps its own order.

import { ApiError } from '../../lib/errors/api-error.ts'
import { everything } from '../../model/access.ts'
import type { ContentType } from '../../model/content-type.ts'
import { getLocalizations } from '../../model/localizations.ts'
import { isContentType } from '../../plan/find-attribute.ts'
import type { PlanValue } from '../../plan/read-plan.ts'
import type { WritePlan } from '../../plan/write/write-plan.ts'
import type { Work } from '../../storage/database.ts'
import { SeedFailure } from '../content.ts'
import type { Storage } from '../storage.ts'
import { writeLinks } from '../writes/write-links.ts'

export interface SeededRow {
  readonly id: number
  readonly plan: WritePlan
}

interface LocalizedEntry {
  readonly id: number
  readonly index: number
  readonly locale: PlanValue
  readonly named: readonly number[]
}

export function* linkLocalizations(storage: Storage, rows: readonly SeededRow[]): Work<void> {
  const byType = new Map<ContentType, LocalizedEntry[]>()
  for (const [index, { id, plan }] of rows.entries()) {
    const type = plan.schema
    if (!isContentType(type) || type.locale === undefined || type.document !== undefined) continue
    const entries = byType.get(type) ?? []
    byType.set(type, entries)
    entries.push({ id, index, locale: plan.values.get(type.locale) ?? null, named: namedBy(type, plan) })
  }
  for (const [type, entries] of byType) {
    for (const group of listGroups(type, entries)) yield* linkGroup(storage, type, group)
  }
}

function namedBy(type: ContentType, plan: WritePlan): readonly number[] {
  const attribute = getLocalizations(type)
  const change = plan.links.find((link) => link.attribute === attribute)?.change
  return change?.kind === 'set' ? change.ids : (change?.connect.map(({ id }) => id) ?? [])
}

/** A single type's entries always belong together. */
function listGroups(
  type: ContentType,
  entries: readonly LocalizedEntry[],
): Iterable<readonly LocalizedEntry[]> {
  if (type.kind === 'singleType') return [entries]
  const groups = new Map<number, LocalizedEntry[]>(entries.map((entry) => [entry.id, [entry]]))
  for (const { id, named } of entries) {
    for (const other of named) {
      const [group, joined] = [groups.get(id), groups.get(other)]
      if (group === undefined || joined === undefined || group === joined) continue
      group.push(...joined)
      for (const member of joined) groups.set(member.id, group)
    }
  }
  return new Set(groups.values())
}

function* linkGroup(storage: Storage, type: ContentType, group: readonly LocalizedEntry[]): Work<void> {
  const attribute = getLocalizations(type)
  if (attribute === undefined || group.length < 2) return
  const locales = new Set<PlanValue>()
  for (const { locale, index } of group) {
    if (locales.has(locale)) {
      const message = `another of its localizations is in the locale "${String(locale)}", too`
      throw new SeedFailure([{ index, reason: new ApiError('ApplicationError', message) }])
    }
    locales.add(locale)
  }
  for (const { id, named } of group) {
    const first = named.filter((other) => other !== id)
    const rest = group.map((member) => member.id).filter((other) => other !== id && !named.includes(other))
    if (rest.length === 0 && first.length === named.length) continue
    yield* writeLinks(storage, id, {
      attribute,
      change: { kind: 'set', ids: [...first, ...rest] },
      path: [],
      access: everything,
    })
  }
}
