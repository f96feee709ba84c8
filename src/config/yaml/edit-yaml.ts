// Changes single values of a YAML or JSON text. All other characters stay as they are, comments included.

import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { isRecord } from '../../lib/is-record.ts'
import { canBeList, findPlace, getEnd, getStart, spliceYaml } from './splice-yaml.ts'
import { type YamlEdit, YamlEditFault, type YamlPath } from './yaml-edit.ts'

/** Throws YamlEditFault. */
export function editYaml(text: string, edit: YamlEdit): string {
  // New lines end as the others do.
  const isWindows = /\r\n/.test(text) && !/(?<!\r)\n/.test(text)
  const unix = isWindows ? text.replaceAll('\r\n', '\n') : text
  const edited = splitEdit(readValue(unix), edit).reduce(editOnce, unix)
  return isWindows ? edited.replaceAll('\n', '\r\n') : edited
}

/** The value of the text with its aliases resolved; undefined for an empty one. */
export function readValue(text: string): unknown {
  return read(text).toJS() ?? undefined
}

/** The text of the value at the path, with its key. Undefined if the path is not there. */
export function cutYaml(text: string, path: YamlPath): readonly [start: number, end: number] | undefined {
  const place = findPlace(read(text), path)
  if (place.missing.length > 0) return undefined
  const start = place.pair === undefined ? getStart(place.node) : getStart(place.pair.key)
  return [start, Math.max(start, getEnd(place.node))]
}

function read(text: string): Document {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: false })
  const [error] = document.errors
  if (error !== undefined)
    throw new YamlEditFault(`the text is no valid YAML: ${error.message.split('\n')[0]}`)
  return document
}

/** Keeps the comments within a map or list of which only a part changes. */
function splitEdit(value: unknown, edit: YamlEdit): readonly YamlEdit[] {
  if (edit.kind !== 'set') return [edit]
  const found: YamlEdit[] = []
  compare(valueAt(value, edit.path), edit.value, edit.path, found)
  return found
}

function compare(before: unknown, after: unknown, path: YamlPath, found: YamlEdit[]): void {
  if (isDeepStrictEqual(before, after)) return
  if (isRecord(before) && isRecord(after) && Object.keys(before).some((key) => key in after)) {
    for (const [key, value] of Object.entries(after)) compare(before[key], value, [...path, key], found)
    for (const key of Object.keys(before))
      if (!(key in after)) found.push({ kind: 'remove', path: [...path, key] })
    return
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length > 0 && after.length > 0) {
    const shared = Math.min(before.length, after.length)
    for (let index = 0; index < shared; index++) compare(before[index], after[index], [...path, index], found)
    for (let index = before.length - 1; index >= shared; index--)
      found.push({ kind: 'remove', path: [...path, index] })
    for (const value of after.slice(shared)) found.push({ kind: 'append', path, value })
    return
  }
  found.push({ kind: 'set', path, value: after })
}

export function valueAt(value: unknown, path: YamlPath): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)]
    return isRecord(inner) && Object.hasOwn(inner, step) ? inner[String(step)] : undefined
  }, value)
}

function editOnce(text: string, edit: YamlEdit): string {
  const document = read(text)
  const place = findPlace(document, edit.path)
  if (edit.kind === 'append' && place.missing.length === 0 && !canBeList(place.node))
    throw new YamlEditFault(`${edit.path.join('.')} is not a list`)
  const expected = applyTo(document.toJS(), edit)
  const spliced = spliceYaml(text, document, edit, place)
  if (spliced !== undefined && isDeepStrictEqual(tryValue(spliced), expected)) return spliced
  // Rare forms (explicit keys, tags) are written anew by the library, which keeps comments but not the layout.
  const rewritten = rewrite(document, edit)
  if (isDeepStrictEqual(tryValue(rewritten), expected)) return rewritten
  throw new YamlEditFault(
    `${edit.path.join('.')} cannot be edited here, as where its value is shared by an anchor: edit the file by hand`,
  )
}

function tryValue(text: string): unknown {
  try {
    return read(text).toJS()
  } catch {
    return undefined
  }
}

/** Copies the maps on the path, since those of aliases are one object. */
function applyTo(value: unknown, edit: YamlEdit, depth = 0): unknown {
  const { path } = edit
  if (depth === path.length) {
    if (edit.kind === 'set') return edit.value
    return edit.kind === 'append'
      ? [...((value as readonly unknown[] | null | undefined) ?? []), edit.value]
      : value
  }
  const step = path[depth] ?? ''
  if (Array.isArray(value)) {
    const index = Number(step)
    if (edit.kind === 'remove' && depth === path.length - 1) return value.toSpliced(index, 1)
    return value.with(index, applyTo(value[index], edit, depth + 1))
  }
  const map = isRecord(value) ? value : {}
  const isLast = depth === path.length - 1
  const entries = Object.entries(map).flatMap(([key, inner]): [string, unknown][] => {
    if (key !== String(step)) return [[key, inner]]
    if (isLast && edit.kind === 'remove') return []
    if (isLast && edit.kind === 'rename') return [[edit.to, inner]]
    return [[key, applyTo(inner, edit, depth + 1)]]
  })
  if (!Object.hasOwn(map, step)) entries.push([String(step), applyTo(undefined, edit, depth + 1)])
  return Object.fromEntries(entries)
}

function rewrite(document: Document, edit: YamlEdit): string {
  const { path } = edit
  if (edit.kind === 'set') document.setIn(path, document.createNode(edit.value))
  else if (edit.kind === 'append') {
    const list = document.getIn(path, true)
    if (isSeq(list)) list.add(document.createNode(edit.value))
    else document.setIn(path, document.createNode([edit.value]))
  } else if (edit.kind === 'remove') document.deleteIn(path)
  else {
    const parent = document.getIn(path.slice(0, -1), true)
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))
      : undefined
    if (pair !== undefined) pair.key = document.createNode(edit.to)
  }
  return document.toString({ lineWidth: 0 })
}
