// Creates one entry for a test, with generated required values and related entries.

import { ownCode } from '../../../access/principal.ts'
import { attributeTypes } from '../../../attribute-types/attribute-types.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import type { Attribute } from '../../../model/attribute.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { type EntryObject, toObject } from '../../../query/rows/to-object.ts'
import type { Content, WriteResult } from '../../content.ts'
import { type MakeContext, makeFakeObject } from './fake-object.ts'
import { makeFakeScalar } from './fake-scalar.ts'
import { loadFakers } from './load-fakers.ts'

type Values = Readonly<Record<string, unknown>>

/** Makes each entry different and each run the same. */
export type CountByType = Map<string, number>

/** Some values may be taken. */
const MAX_ATTEMPTS = 20
/** Depth of nested related entries. */
const MAX_DEPTH = 8

const OWN = { access: ownCode, by: undefined } as const
const WRITE = { ...OWN, params: { publicationState: 'preview', locale: 'all' } } as const

/** Rejects with ValidationError. */
export async function makeEntry(
  content: Content,
  type: ContentType,
  given: Values,
  made: CountByType,
  depth = 0,
): Promise<EntryObject> {
  const count = (made.get(type.uid) ?? 0) + 1
  made.set(type.uid, count)
  const missing = (attribute: Attribute): boolean =>
    'required' in attribute && attribute.required === true && !Object.hasOwn(given, attribute.name)
  const ids = new Map<ContentType, readonly number[]>()
  for (const attribute of type.attributes.values()) {
    if (attribute.kind !== 'relation' || attribute.target === undefined || !missing(attribute)) continue
    if (depth >= MAX_DEPTH)
      throw new TypeError(
        `make: ${type.uid} needs entries that need entries, more than ${MAX_DEPTH} deep: give some`,
      )
    // A new target, since a relation may allow each target only once.
    const { id } = await makeEntry(content, attribute.target, {}, made, depth + 1)
    ids.set(attribute.target, [Number(id)])
  }
  const getFaker = await loadFakers()
  const faker = getFaker(type.locale === undefined ? undefined : String(type.locale.default))
  for (let attempt = 1; ; attempt++) {
    faker.seed([count, attempt, ...Buffer.from(type.uid)])
    const making: MakeContext = {
      faker,
      idsFor: (target) => ids.get(target) ?? [],
      scalar(schema, attribute) {
        const { slug } = attributeTypes[attribute.type]
        if (attribute.computed !== undefined || attribute.default !== undefined) return undefined
        if (slug && attribute.targetField !== undefined) return undefined
        return makeFakeScalar(faker, attribute, schema.uid.slice(schema.uid.lastIndexOf('.') + 1))
      },
    }
    try {
      const { plan, entry } = await create(content, type, {
        ...makeFakeObject(type, making, missing),
        ...given,
      })
      return toObject(plan, entry)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400 || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** A document is published, unless its `publishedAt` is null. */
function create(content: Content, type: ContentType, values: Values): Promise<WriteResult> {
  const { documents } = content
  if (documents === undefined || !type.uid.startsWith('api::')) return content.create(type, values, WRITE)
  const { publishedAt, locale, ...data } = values
  const status = publishedAt === null ? 'draft' : 'published'
  return documents.create(type, data, { ...OWN, params: {}, status, locale })
}
