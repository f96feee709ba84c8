// The edits that agents may propose, and where each belongs in the file's own way of writing.

import { getPlural } from '../config/names-of.ts'
import { getUid } from '../config/normalize-content-type.ts'
import { editYaml, readValue, valueAt } from '../config/yaml/edit-yaml.ts'
import type { YamlEdit, YamlPath } from '../config/yaml/yaml-edit.ts'
import { isRecord } from '../lib/is-record.ts'
import { toKebabCase } from '../lib/kebab-case.ts'
import { ToolFault } from '../plugins/agent-tools.ts'

/** A content-type or a component. */
type Subject = { readonly type: string } | { readonly component: string }

export type FileEdit =
  | {
      readonly do: 'addType'
      readonly type: string
      readonly attributes: Values
      readonly options: Values
    }
  | { readonly do: 'addComponent'; readonly component: string; readonly attributes: Values }
  /** Adds the attribute, or replaces it. */
  | ({ readonly do: 'setAttribute'; readonly attribute: string; readonly value: unknown } & Subject)
  /** Keeps the stored values. */
  | ({ readonly do: 'rename'; readonly attribute: string | undefined; readonly to: string } & Subject)
  | ({ readonly do: 'remove'; readonly attribute: string | undefined } & Subject)
  | {
      readonly do: 'allow'
      readonly role: string
      readonly permission: string
      readonly rule: Values | undefined
    }
  | { readonly do: 'revoke'; readonly role: string; readonly permission: string }
  | { readonly do: 'addEntries'; readonly type: string; readonly entries: readonly Values[] }
  | { readonly do: 'set'; readonly path: YamlPath; readonly value: unknown }
  | { readonly do: 'unset'; readonly path: YamlPath }

type Values = Readonly<Record<string, unknown>>

/** Each step is the text after one more change. Throws ToolFault or YamlEditFault. */
export function applyEdits(text: string, edits: readonly FileEdit[]): readonly string[] {
  const steps = [text]
  let root = readValue(text)
  const editing: Editing = {
    root: () => root,
    change(edit) {
      const changed = editYaml(steps.at(-1) ?? '', edit)
      root = readValue(changed)
      steps.push(changed)
    },
  }
  for (const edit of edits) applyEdit(editing, edit)
  return steps
}

interface Editing {
  /** The value of the file as the changes before have left it. */
  root(): unknown
  change(edit: YamlEdit): void
}

function applyEdit(editing: Editing, edit: FileEdit): void {
  const { root, change } = editing
  if (edit.do === 'addEntries') for (const value of edit.entries) change(addEntry(root(), edit.type, value))
  else if (edit.do === 'remove') remove(editing, edit)
  else if (edit.do !== 'rename') change(getChange(root(), edit))
  else if (edit.attribute === undefined) renameSubject(editing, edit)
  else renameAttribute(editing, edit, edit.attribute)
}

function getChange(
  root: unknown,
  edit: Exclude<FileEdit, { do: 'rename' | 'remove' | 'addEntries' }>,
): YamlEdit {
  switch (edit.do) {
    case 'addType':
      return addType(root, edit)
    case 'addComponent':
      return addComponent(root, edit)
    case 'setAttribute':
      return { kind: 'set', path: pathOfAttribute(root, edit, edit.attribute), value: edit.value }
    case 'allow':
      return allow(root, edit)
    case 'revoke':
      return revoke(root, edit)
    case 'set':
      return { kind: 'set', path: checkPath(edit.path), value: edit.value }
    case 'unset':
      return { kind: 'remove', path: checkPath(edit.path) }
  }
}

const SECTIONS: readonly YamlPath[] = [
  ['contentTypes'],
  ['singleTypes'],
  ['components'],
  ['data'],
  ['public'],
  ['auth', 'roles'],
  ['name'],
  ['description'],
]

/** Other sections name code, secrets and addresses. */
function checkPath(path: YamlPath): YamlPath {
  if (SECTIONS.some((section) => section.every((step, index) => path[index] === step))) return path
  const sections = SECTIONS.map((section) => section.join('.')).join(', ')
  throw new ToolFault(`"${path.join('.')}" is edited by hand: tools edit ${sections}.`)
}

function addType(root: unknown, { type, attributes, options }: FileEdit & { do: 'addType' }): YamlEdit {
  if (findType(root, type) !== undefined) throw new ToolFault(`The content-type "${type}" is in the file.`)
  const value = Object.keys(options).length === 0 ? attributes : { ...options, attributes }
  return { kind: 'set', path: ['contentTypes', type], value }
}

function addComponent(root: unknown, { component, attributes }: FileEdit & { do: 'addComponent' }): YamlEdit {
  const path = ['components', component]
  if (valueAt(root, path) !== undefined) throw new ToolFault(`The component "${component}" is in the file.`)
  return { kind: 'set', path, value: attributes }
}

/** The section and key of a content-type as the file writes it. */
function findType(root: unknown, type: string): YamlPath | undefined {
  for (const section of ['contentTypes', 'singleTypes']) {
    const key = findKey(valueAt(root, [section]), (one) => isSameType(one, type))
    if (key !== undefined) return [section, key]
  }
  return undefined
}

function isSameType(key: string, type: string): boolean {
  return getUid(toKebabCase(key)) === getUid(toKebabCase(type))
}

function findKey(map: unknown, is: (key: string) => boolean): string | undefined {
  return isRecord(map) ? Object.keys(map).find(is) : undefined
}

function pathOfSubject(root: unknown, subject: Subject): YamlPath {
  if ('type' in subject) {
    const found = findType(root, subject.type)
    if (found !== undefined) return found
    throw new ToolFault(
      `There is no content-type "${subject.type}" in the file${listKeys(root, 'contentTypes')}.`,
    )
  }
  const { component } = subject
  const key = findKey(
    valueAt(root, ['components']),
    (one) => one === component || one === `shared.${component}` || `shared.${one}` === component,
  )
  if (key !== undefined) return ['components', key]
  throw new ToolFault(`There is no component "${component}" in the file${listKeys(root, 'components')}.`)
}

function listKeys(root: unknown, section: string): string {
  const map = valueAt(root, [section])
  return isRecord(map) ? `: it has ${Object.keys(map).join(', ')}` : ''
}

/** In the short form, attributes stand beside the options of their type. */
function pathOfAttribute(root: unknown, subject: Subject, attribute: string): YamlPath {
  const path = pathOfSubject(root, subject)
  const isLong = isRecord(valueAt(root, [...path, 'attributes']))
  return isLong ? [...path, 'attributes', attribute] : [...path, attribute]
}

function renameAttribute(
  { root, change }: Editing,
  edit: FileEdit & { do: 'rename' },
  attribute: string,
): void {
  const { to } = edit
  change({ kind: 'rename', path: pathOfAttribute(root(), edit, attribute), to })
  const path = pathOfAttribute(root(), edit, to)
  const value = valueAt(root(), path)
  if (isRecord(value)) change({ kind: 'set', path: [...path, 'renamedFrom'], value: attribute })
  else {
    const isInner = Array.isArray(value) && isRecord(value[0])
    const given = isInner ? { component: value } : { type: value }
    change({ kind: 'set', path, value: { ...given, renamedFrom: attribute } })
  }
  for (const place of listValues(root(), edit, attribute)) change({ kind: 'rename', path: place, to })
}

function remove({ root, change }: Editing, edit: FileEdit & { do: 'remove' }): void {
  const { attribute } = edit
  if (attribute === undefined) {
    const entries = 'type' in edit ? findEntries(root(), edit.type) : undefined
    change({ kind: 'remove', path: pathOfSubject(root(), edit) })
    if (entries !== undefined) change({ kind: 'remove', path: entries })
    return
  }
  change({ kind: 'remove', path: pathOfAttribute(root(), edit, attribute) })
  for (const place of listValues(root(), edit, attribute)) change({ kind: 'remove', path: place })
}

/** The places of the attribute in the entries of `data`. */
function listValues(root: unknown, edit: Subject, attribute: string): readonly YamlPath[] {
  const list = 'type' in edit ? findEntries(root, edit.type) : undefined
  if (list === undefined) return []
  const entries = valueAt(root, list)
  const places = Array.isArray(entries)
    ? entries.map((_, index) => [...list, index, attribute])
    : [[...list, attribute]]
  const found = places.filter((place) => valueAt(root, place) !== undefined)
  if (found.length <= MAX_VALUES) return found
  throw new ToolFault(`${found.length} entries of "data" have "${attribute}": change them by hand first.`)
}

function renameSubject({ root, change }: Editing, edit: FileEdit & { do: 'rename' }): void {
  const { to } = edit
  const path = pathOfSubject(root(), edit)
  const entries = 'type' in edit ? findEntries(root(), edit.type) : undefined
  change({ kind: 'rename', path, to })
  change({ kind: 'set', path: [...path.slice(0, -1), to, 'renamedFrom'], value: path.at(-1) })
  if (entries === undefined || !('type' in edit)) return
  const isPlural = !isSameType(String(entries.at(-1)), edit.type)
  change({ kind: 'rename', path: entries, to: isPlural ? getPlural(to) : to })
}

/** Undefined if the file has no entries of the content-type. Throws ToolFault if they are in another file. */
function findEntries(root: unknown, type: string): YamlPath | undefined {
  const data = valueAt(root, ['data'])
  if (typeof data === 'string') throw new ToolFault(`The entries are in the file ${data}: edit it by hand.`)
  const name = toKebabCase(type)
  const key = findKey(data, (one) => isSameType(one, type) || toKebabCase(one) === getPlural(name))
  if (key === undefined) return undefined
  const entries = valueAt(data, [key])
  if (typeof entries === 'string')
    throw new ToolFault(`The entries are in the file ${entries}: edit it by hand.`)
  return ['data', key]
}

function addEntry(root: unknown, type: string, value: Values): YamlEdit {
  const path = findEntries(root, type) ?? ['data', type]
  return isRecord(valueAt(root, path)) ? { kind: 'set', path, value } : { kind: 'append', path, value }
}

/** The list of a role's permissions, which may not be there yet. */
function pathOfPermissions(root: unknown, role: string): YamlPath {
  if (role === 'public' && valueAt(root, ['public']) !== undefined) return ['public']
  const path = ['auth', 'roles', role]
  return isRecord(valueAt(root, path)) ? [...path, 'permissions'] : path
}

interface GivenPermission {
  readonly index: number
  /** The map from permissions to rules; undefined for a text. */
  readonly rules: Values | undefined
}

function findPermission(root: unknown, path: YamlPath, permission: string): GivenPermission | undefined {
  const list = valueAt(root, path)
  if (!Array.isArray(list)) return undefined
  for (const [index, item] of list.entries()) {
    if (item === permission) return { index, rules: undefined }
    if (isRecord(item) && Object.hasOwn(item, permission)) return { index, rules: item }
  }
  return undefined
}

function allow(root: unknown, { role, permission, rule }: FileEdit & { do: 'allow' }): YamlEdit {
  const path = pathOfPermissions(root, role)
  const value = rule === undefined ? permission : { [permission]: rule }
  const found = findPermission(root, path, permission)
  if (found === undefined) return { kind: 'append', path, value }
  const at = [...path, found.index]
  if (found.rules === undefined || Object.keys(found.rules).length === 1)
    return { kind: 'set', path: at, value }
  return { kind: 'set', path: [...at, permission], value: rule ?? {} }
}

function revoke(root: unknown, { role, permission }: FileEdit & { do: 'revoke' }): YamlEdit {
  const path = pathOfPermissions(root, role)
  const found = findPermission(root, path, permission)
  if (found === undefined)
    throw new ToolFault(
      `The role "${role}" has no permission written "${permission}": it has ${JSON.stringify(valueAt(root, path) ?? [])}.`,
    )
  const at = [...path, found.index]
  const isAlone = found.rules === undefined || Object.keys(found.rules).length === 1
  return { kind: 'remove', path: isAlone ? at : [...at, permission] }
}

/** More values in the file are better changed by hand. */
const MAX_VALUES = 200
