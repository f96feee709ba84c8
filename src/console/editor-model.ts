// Leaves in the model only what a user of the console may see or do, so that its pages offer nothing that is refused.

import type { Permissions } from '../access/principal.ts'
import type { RoleConsoleConfig } from '../config/auth-config.ts'
import type { WriteAction } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { findDataType } from '../model/data/find-data-type.ts'
import type * as described from './described.ts'
import { FILES, listMay } from './list-may.ts'

interface Viewer {
  readonly permissions: Permissions
  readonly console: RoleConsoleConfig
}

type ContentTypes = ReadonlyMap<string, ContentType>

export function restrictModel(model: described.Model, types: ContentTypes, viewer: Viewer): described.Model {
  const isVisible = (uid: string): boolean => {
    const type = types.get(uid)
    return type !== undefined && isShown(type, types, viewer)
  }
  const restrict = (attributes: readonly described.Attribute[]): readonly described.Attribute[] =>
    attributes.flatMap((attribute) => restrictAttribute(attribute, isVisible) ?? [])
  const shown = model.types.flatMap((type) => {
    const source = types.get(type.uid)
    if (source === undefined || !isVisible(type.uid)) return []
    return [restrictType(type, source, viewer, restrict)]
  })
  const components = new Map(model.components.map((component) => [component.uid, component]))
  const used = listComponents(
    shown.flatMap(({ attributes }) => attributes),
    components,
  )
  const { dialect, prefix } = model
  return {
    ...{ dialect, prefix, graphiql: false, types: shown },
    uploads: model.uploads && viewer.permissions.can('plugin::upload.content-api.upload'),
    components: used.map(({ place: _, ...component }) => ({
      ...component,
      attributes: restrict(component.attributes),
    })),
  }
}

/** Types of plugins are shown where relations lead to them. */
function isShown(type: ContentType, all: ContentTypes, { permissions, console }: Viewer): boolean {
  if (type.uid === FILES) return permissions.can('plugin::upload.content-api.find')
  if (!permissions.visible(type)) return false
  if (console.types === undefined || !type.uid.startsWith('api::')) return true
  return console.types.some((name) => findDataType(name, all) === type)
}

function restrictType(
  { place: _place, checks: _checks, ...type }: described.Type,
  source: ContentType,
  { permissions }: Viewer,
  restrict: (attributes: readonly described.Attribute[]) => readonly described.Attribute[],
): described.Type {
  const may = listMay(source, permissions)
  const readable = permissions.readable(source, 'find')
  const writable = listWritable(source, permissions)
  const attributes = restrict(type.attributes)
    .filter(({ name }) => readable === undefined || readable.has(name))
    .map((attribute) =>
      writable === undefined || writable.has(attribute.name) ? attribute : { ...attribute, writable: false },
    )
  const names = new Set(attributes.map(({ name }) => name))
  const { title, list, groups, preview } = type.look
  return {
    ...type,
    ...{ may, attributes, checks: [] },
    look: {
      title: title !== undefined && names.has(title) ? title : undefined,
      list: list.filter((name) => names.has(name) || SYSTEM.has(name)),
      groups: groups.map(({ label, fields }) => ({
        label,
        fields: fields.filter((name) => names.has(name)),
      })),
      preview,
    },
  }
}

const SYSTEM: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
])

/** Undefined: every attribute can be written by some write. */
function listWritable(type: ContentType, permissions: Permissions): ReadonlySet<string> | undefined {
  if (type.uid === FILES) return undefined
  const names = new Set<string>()
  for (const action of ['create', 'update'] as const satisfies readonly WriteAction[]) {
    if (!permissions.can(`${type.uid}.${action}`)) continue
    const rule = permissions.writeRule(type, action)
    if (rule === undefined) return undefined
    for (const { fields } of rule.alternatives) {
      if (fields === undefined) return undefined
      for (const name of fields) names.add(name)
    }
  }
  return names
}

/** Passwords are never read, but may be written. */
function isHidden({ type, private: hidden }: described.Attribute): boolean {
  return hidden === true && type !== 'password'
}

/** Links whose entries the caller may not find are left out: a form could not show them. */
function restrictAttribute(
  { place: _, ...attribute }: described.Attribute,
  isVisible: (uid: string) => boolean,
): described.Attribute | undefined {
  if (isHidden(attribute)) return undefined
  const { kind, target, targets } = attribute
  if (kind === 'media') return isVisible(FILES) ? attribute : undefined
  if (kind !== 'relation') return attribute
  if (target !== undefined) return isVisible(target) ? attribute : undefined
  const shown = (targets ?? []).filter(isVisible)
  return shown.length === 0 ? undefined : { ...attribute, targets: shown }
}

function listComponents(
  attributes: readonly described.Attribute[],
  components: ReadonlyMap<string, described.Component>,
): readonly described.Component[] {
  const found = new Set<described.Component>()
  const visit = (list: readonly described.Attribute[]): void => {
    for (const { component, components: several = [] } of list) {
      for (const uid of component === undefined ? several : [component]) {
        const one = components.get(uid)
        if (one === undefined || found.has(one)) continue
        found.add(one)
        visit(one.attributes)
      }
    }
  }
  visit(attributes)
  return [...found]
}
