// The entry of a single type: updated where there is one of that locale, created where there is none at all. Two
// that create it at once end as one entry: the later one updates what the other made.

import { ApiError } from '../errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Content, WriteOptions, Written } from './content.ts'
import { isAlreadyThere } from './localize-entries.ts'

/** What is written where the entry is there already, and where it is not. */
export interface SingleData {
  readonly update: Readonly<Record<string, unknown>>
  readonly create: Readonly<Record<string, unknown>>
}

/** `locale` as a client names it: undefined is the standard one. What the data say of it is not looked at. */
export async function saveSingle(
  content: Content,
  type: ContentType,
  locale: unknown,
  { update, create }: SingleData,
  options: WriteOptions,
): Promise<Written> {
  assertOneLocale(type, locale)
  const there = await findId(content, type, locale)
  if (there !== undefined) return content.update(type, there, update, options)
  try {
    return await content.create(type, { ...create, locale }, options)
  } catch (error) {
    const made = isAlreadyThere(error) ? await findId(content, type, locale) : undefined
    if (made === undefined) throw error
    return content.update(type, made, update, options)
  }
}

/** Throws where a write would have to choose among the entries of several locales. */
export function assertOneLocale(type: ContentType, locale: unknown): void {
  if (!type.localized || locale === undefined || locale === null) return
  if (typeof locale !== 'string' || locale === 'all')
    throw new ApiError('ApplicationError', "This locale doesn't exist")
}

/** Drafts are found, too. */
async function findId(content: Content, type: ContentType, locale: unknown): Promise<number | undefined> {
  const params = { publicationState: 'preview', fields: ['id'], locale: locale ?? undefined } as const
  return (await content.findFirst(type, params))?.id
}
