// Finds the media attribute that `ref`, `refId` and `field` of an upload name. All checks, including the
// permission to update the entry, run before a file is stored.

import type { Permissions, Principal } from '../../access/principal.ts'
import { ApiError, createValidationErrors } from '../../lib/errors/api-error.ts'
import type { MediaAttribute } from '../../model/attribute.ts'
import type { Component, ContentType, Schema } from '../../model/content-type.ts'
import type { Model } from '../../model/model.ts'
import type { Content } from '../../write/content.ts'

export interface Target {
  readonly type: ContentType
  readonly id: number
  readonly attribute: MediaAttribute
  /** The payload that sets the attribute to the value. */
  dataWith(value: unknown): Readonly<Record<string, unknown>>
}

interface UploadTarget {
  readonly ref: string | undefined
  readonly refId: string | undefined
  readonly field: string | undefined
}

interface AttachContext {
  readonly model: Model
  readonly content: Content
}

/** Returns undefined if the files are not for an entry. Throws ApiError. */
export async function findTarget(
  { ref, refId, field }: UploadTarget,
  place: AttachContext,
  permissions: Permissions,
): Promise<Target | undefined> {
  if (ref === undefined && refId === undefined && field === undefined) return undefined
  const { contentTypes, components } = place.model
  const type = ref === undefined ? undefined : contentTypes.get(ref)
  const component = ref === undefined ? undefined : components.get(ref)
  const id = refId !== undefined && /^\d{1,15}$/.test(refId) ? Number(refId) : undefined
  if (type !== undefined) return targetInEntry(type, id, field, place, permissions)
  if (component !== undefined) return targetInComponent(component, id, field, place, permissions)
  throw wrong('ref', 'ref must be the uid of a content-type or component, such as api::article.article')
}

async function targetInEntry(
  type: ContentType,
  id: number | undefined,
  field: string | undefined,
  { content }: AttachContext,
  permissions: Permissions,
): Promise<Target> {
  assertMayUpdate(type, permissions)
  const attribute = getMedia(type, field)
  if (id === undefined || !(await isThere(content, type, id, permissions)))
    throw wrong('refId', `refId must be the id of an entry of ${type.uid}`)
  return { type, id, attribute, dataWith: (value) => ({ [attribute.name]: value }) }
}

/** The files of a component belong to the entry that contains it. */
async function targetInComponent(
  component: Component,
  id: number | undefined,
  field: string | undefined,
  { model, content }: AttachContext,
  permissions: Permissions,
): Promise<Target> {
  const found = id === undefined ? undefined : await content.findPlace(model, component, id)
  // The id alone does not tell the entry's type, so a refusal would reveal that the entry exists.
  const isSeen =
    found !== undefined &&
    mayUpdate(found.type, permissions) &&
    (await isThere(content, found.type, found.id, permissions))
  const place = isSeen ? found : undefined
  const attribute = getMedia(component, field)
  const named = place?.dataWith({})
  if (place === undefined || named === undefined)
    throw wrong('refId', `refId must be the id of a component of ${component.uid}`)
  const { type } = place
  return {
    type,
    id: place.id,
    attribute,
    dataWith: (value) => place.dataWith({ [attribute.name]: value }) ?? named,
  }
}

/** Includes drafts; an entry that the caller's rules hide counts as missing. */
async function isThere(
  content: Content,
  type: ContentType,
  id: number,
  permissions: Permissions,
): Promise<boolean> {
  return (await content.findOne(type, id, { fields: ['id'] }, permissions)) !== undefined
}

function mayUpdate(type: ContentType, permissions: Permissions): boolean {
  return permissions.can(`${type.uid}.update`)
}

function assertMayUpdate(type: ContentType, permissions: Permissions): void {
  if (!mayUpdate(type, permissions)) {
    throw new ApiError('ForbiddenError', `Forbidden: you may not update ${type.uid}`)
  }
}

function getMedia(schema: Schema & { readonly uid: string }, field: string | undefined): MediaAttribute {
  const attribute = field === undefined ? undefined : schema.attributes.get(field)
  if (attribute?.kind !== 'media' || attribute.private || !attribute.writable) {
    throw wrong('field', `field must be a media attribute of ${schema.uid}`)
  }
  return attribute
}

/** Replaces the file of a single attribute; adds to a multiple attribute. */
export async function attach(
  content: Content,
  { type, id, attribute, dataWith }: Target,
  ids: readonly number[],
  by: Principal,
): Promise<void> {
  const value = attribute.multiple ? { connect: ids } : ids.at(-1)
  await content.update(type, id, dataWith(value), { params: { fields: ['id'] }, access: by.permissions, by })
}

function wrong(key: string, message: string): ApiError {
  return createValidationErrors([{ path: [key], message, name: 'ValidationError' }])
}
