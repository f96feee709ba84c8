// Checks a payload's references to other locales before the write.

import { ApiError, type ErrorItem } from '../lib/errors/api-error.ts'
import type { Access } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { getLocalizations, isLocale, isShared } from '../model/localizations.ts'
import { planLinks } from '../plan/write/plan-links.ts'
import { createHiddenEntries } from '../plan/write/plan-related.ts'
import type { WritePlan } from '../plan/write/write-plan.ts'

type Data = Readonly<Record<string, unknown>>

/** Throws if the locale is missing or unknown. */
export function assertLocale(type: ContentType, given: unknown): void {
  if (given === undefined || given === null || given === '')
    throw new ApiError('ApplicationError', 'locale is missing')
  if (type.locale === undefined || !isLocale(type.locale, given))
    throw new ApiError('ApplicationError', 'locale is invalid')
}

/**
 * A localization is a draft by default; yet without an explicit `publishedAt`, Strapi applies the rules of
 * published entries.
 */
export function buildLocalizationData(type: ContentType, data: Data): Data {
  const { localizations: _, ...rest } = data
  if (type.publishedAt === undefined) return rest
  return { ...rest, publishedAt: data[type.publishedAt.name] ?? null }
}

/** Faults of `localizations` are reported when the payload is planned. */
export function listNamedLocalizations(type: ContentType, data: Data): readonly number[] {
  const attribute = getLocalizations(type)
  const value = attribute === undefined ? undefined : data[attribute.name]
  if (attribute === undefined || value === undefined || value === null) return []
  const links = planLinks(attribute, value)
  if (links === undefined || 'fault' in links) return []
  const { change } = links
  return change.kind === 'set' ? change.ids : change.connect.map(({ id }) => id)
}

/** Joining changes the joined entries, even if they get no value. */
export function assertMayJoin(type: ContentType, joined: readonly number[], access: Access): void {
  if (joined.length === 0) return
  const name = getLocalizations(type)?.name ?? ''
  if (!access.visible(type)) throw createHiddenEntries(name, type)
  if (!access.mayUpdate(type))
    throw new ApiError('ForbiddenError', `Forbidden: "${name}" names entries that you may not update`)
}

/** The permission to localize does not allow changing shared attributes, which have one value in all locales. */
export function assertMayLocalize(type: ContentType, data: Data, access: Access): void {
  if (!access.visible(type)) throw createHiddenEntries(getLocalizations(type)?.name ?? '', type)
  if (access.mayUpdate(type)) return
  for (const attribute of type.attributes.values()) {
    if (!isShared(attribute) || !attribute.writable || data[attribute.name] === undefined) continue
    throw new ApiError(
      'ForbiddenError',
      `Forbidden: "${attribute.name}" is shared with entries that you may not update`,
    )
  }
}

/** `localizations` is written separately, since every locale variant gets it. */
export function withoutLocalizations(type: ContentType, plan: WritePlan): WritePlan {
  const attribute = getLocalizations(type)
  if (!plan.links.some((link) => link.attribute === attribute)) return plan
  return { ...plan, links: plan.links.filter((link) => link.attribute !== attribute) }
}

export function findSharedFaults(type: ContentType, faults: readonly ErrorItem[]): readonly ErrorItem[] {
  return faults.filter(({ path }) => {
    const attribute = type.attributes.get(path[0] ?? '')
    return attribute !== undefined && isShared(attribute)
  })
}
