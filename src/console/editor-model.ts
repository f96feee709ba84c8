// Leaves in the model only what a user of the console may see or do, so that its pages offer nothing that is refused.

import type { Permissions } from '../access/principal.ts'
import type { RoleConsoleConfig } from '../config/auth-config.ts'
import type { WriteAction } from '../model/access.ts'
import type { ContentType } from '../model/content-type.ts'
import { findDataType } from '../model/data/find-data-type.ts'
import { getPlugin } from '../model/naming.ts'
import type { LiveApp } from './console-context.ts'
import type * as described from './described.ts'
import { listMay } from './list-may.ts'

interface Viewer {
  readonly permissions: Permissions
  readonly console: RoleConsoleConfig
  readonly live: Pick<LiveApp, 'model' | 'plugins'>
}

export function restrictModel(model: described.Model, viewer: Viewer): described.Model {
  const { contentTypes: types, fileType } = viewer.live.model
  const files = fileType?.uid ?? ''
  const isVisible = (uid: string): boolean => {
    const type = types.get(uid)
    return type !== undefined && isShown(type, viewer)
  }
  const restrict = (attributes: readonly described.Attribute[]): readonly described.Attribute[] =>
    attributes.flatMap((attribute) => restrictAttribute(attribute, files, isVisible) ?? [])
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
    uploads: shown.some(({ uid, may }) => uid === files && may.includes('create')),
    components: used.map(({ place: _, ...component }) => ({
      ...component,
      attributes: restrict(component.attributes),
    })),
  }
}

/** Types of plugins are shown where relations lead to them. */
export function isShown(type: ContentType, { permissions, console, live }: Viewer): boolean {
  if (!listMay(type, permissions, live).includes('find')) return false
  if (console.types === undefined || getPlugin(type.uid) !== '') return true
  return console.types.some((name) => findDataType(name, live.model.contentTypes) === type)
}

function restrictType(
  { place: _place, checks: _checks, ...type }: described.Type,
  source: ContentType,
  { permissions, live }: Viewer,
  restrict: (attributes: readonly described.Attribute[]) => readonly described.Attribute[],
): described.Type {
  const may = listMay(source, permissions, live)
  const readable = permissions.readable(source, 'find')
  const writable = listWritable(source, permissions, live)
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
function listWritable(
  type: ContentType,
  permissions: Permissions,
  live: Viewer['live'],
): ReadonlySet<string> | undefined {
  const may = listMay(type, permissions, live)
  const names = new Set<string>()
  for (const action of ['create', 'update'] as const satisfies readonly WriteAction[]) {
    if (!may.includes(action)) continue
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
  files: string,
  isVisible: (uid: string) => boolean,
): described.Attribute | undefined {
  if (isHidden(attribute)) return undefined
  const { kind, target, targets } = attribute
  if (kind === 'media') return isVisible(files) ? attribute : undefined
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
