// Writes Strapi's `related` of a file by updating the media of the entries that show it.

import { ownCode } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { isRecord } from '../lib/is-record.ts'
import type { RelationAttribute } from '../model/attribute.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType } from '../model/content-type.ts'
import { getId } from '../plan/write/plan-links.ts'
import type { Content } from '../write/content.ts'

interface FileUse {
  readonly uid: string
  readonly id: number
  readonly field: string
}

/** Throws ValidationError, NotFoundError. */
export async function relateFile(
  content: Content,
  attribute: RelationAttribute,
  file: number,
  related: unknown,
): Promise<void> {
  const wanted = (Array.isArray(related) ? related : [related]).map((one) => getShown(attribute, one))
  for (const { type, attribute: media } of attribute.shownBy ?? []) {
    // Each version has its own media, which publishing copies.
    if (isVersioned(type)) continue
    const filters = { [media.name]: { id: file } }
    const params = { filters, fields: ['id'], publicationState: 'preview', locale: 'all' } as const
    const now = (await content.findAll(type, params, ownCode)).map(({ id }) => id)
    const then = wanted.filter(({ uid, field }) => uid === type.uid && field === media.name)
    const ids = new Set(then.map(({ id }) => id))
    const write = (id: number, value: unknown) =>
      content.update(type, id, { [media.name]: value }, { params: {}, access: ownCode, by: undefined })
    for (const id of ids) if (!now.includes(id)) await write(id, media.multiple ? { connect: [file] } : file)
    for (const id of now) if (!ids.has(id)) await write(id, media.multiple ? { disconnect: [file] } : null)
  }
}

function getShown({ shownBy = [] }: RelationAttribute, value: unknown): FileUse {
  const pivot = isRecord(value) ? value['__pivot'] : undefined
  const field = isRecord(pivot) ? pivot['field'] : undefined
  const uid = isRecord(value) ? value['__type'] : undefined
  const id = getId(value)
  const known = shownBy.find(({ type, attribute }) => type.uid === uid && attribute.name === field)
  if (known !== undefined && isVersioned(known.type))
    throw new ApiError(
      'ValidationError',
      `${known.type.uid} has drafts: write "${known.attribute.name}" of its documents instead of related`,
    )
  if (known === undefined || id === undefined)
    throw new ApiError(
      'ValidationError',
      'related lists entries and the media attribute that shows the file: { "__type": "api::dog.dog", "id": 1, "__pivot": { "field": "picture" } }',
    )
  return { uid: known.type.uid, id, field: known.attribute.name }
}

/** A type predicate would narrow a type without versions to `never`. */
function isVersioned(type: ContentType): boolean {
  return hasVersions(type)
}
