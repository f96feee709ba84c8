// Updates or creates a single type's entry. If two requests create it at once, the later one updates the
// first one's entry.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Content, WriteOptions, WriteResult } from './content.ts'
import { isAlreadyThere } from './writes/localize-entries.ts'

interface SingleData {
  readonly update: Readonly<Record<string, unknown>>
  readonly create: Readonly<Record<string, unknown>>
}

/** `locale`: undefined means the default locale. A locale in the data is ignored. */
export async function saveSingle(
  content: Content,
  type: ContentType,
  locale: unknown,
  { update, create }: SingleData,
  options: WriteOptions,
): Promise<WriteResult> {
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

/** Throws if the locale may select several entries. */
export function assertOneLocale(type: ContentType, locale: unknown): void {
  if (!type.localized || locale === undefined || locale === null) return
  if (typeof locale !== 'string' || locale === 'all')
    throw new ApiError('ApplicationError', "This locale doesn't exist")
}

/** Finds drafts too. */
async function findId(content: Content, type: ContentType, locale: unknown): Promise<number | undefined> {
  const params = { publicationState: 'preview', fields: ['id'], locale: locale ?? undefined } as const
  return (await content.findFirst(type, params))?.id
}
