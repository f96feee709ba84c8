// `ref`, `refId` and `field` of an upload -> the media attribute of an entry that its files go to (BEHAVIOUR 12.2).
// Everything is checked before a file is stored: an entry is changed only by who may update it.

import { everyPermission, type Permissions } from '../../auth/principal.ts'
import type { Content } from '../../content/content.ts'
import { ApiError, validationErrors } from '../../errors/api-error.ts'
import type { MediaAttribute } from '../../model/attribute.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'

export interface Target {
  readonly type: ContentType
  readonly id: number
  readonly attribute: MediaAttribute
}

interface Given {
  readonly ref: string | undefined
  readonly refId: string | undefined
  readonly field: string | undefined
}

/** Undefined when the files are for no entry. Throws ApiError that names what is wrong. */
export async function findTarget(
  { ref, refId, field }: Given,
  { model, content }: { readonly model: Model; readonly content: Content },
  permissions: Permissions,
): Promise<Target | undefined> {
  if (ref === undefined && refId === undefined && field === undefined) return undefined
  const type = ref === undefined ? undefined : model.contentTypes.get(ref)
  if (type === undefined)
    throw wrong('ref', `ref must be the uid of a content-type, such as api::article.article`)
  if (!permissions.can(`${type.uid}.update`)) {
    throw new ApiError('ForbiddenError', `Forbidden: you may not update ${type.uid}`)
  }
  const attribute = field === undefined ? undefined : type.attributes.get(field)
  if (attribute?.kind !== 'media' || attribute.private || !attribute.writable) {
    throw wrong('field', `field must be a media attribute of ${type.uid}`)
  }
  const id = refId !== undefined && /^\d{1,15}$/.test(refId) ? Number(refId) : undefined
  const found =
    id === undefined
      ? undefined
      : await content.prepareFindOne(type, { fields: ['id'] }, everyPermission, false).read(id)
  if (id === undefined || found === undefined)
    throw wrong('refId', `refId must be the id of an entry of ${type.uid}`)
  return { type, id, attribute }
}

/** One replaces what was there, several are added to it. */
export async function attach(
  content: Content,
  { type, id, attribute }: Target,
  ids: readonly number[],
  permissions: Permissions,
): Promise<void> {
  const value = attribute.multiple ? { connect: ids } : ids.at(-1)
  await content.update(
    type,
    id,
    { [attribute.name]: value },
    { params: { fields: ['id'] }, access: permissions },
  )
}

function wrong(key: string, message: string): ApiError {
  return validationErrors([{ path: [key], message, name: 'ValidationError' }])
}
