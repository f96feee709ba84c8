// Converts between the API's responses, the values of a form, and payloads.

import type { Attribute, Entry, Model, Type } from '../../described.ts'

export type Values = Readonly<Record<string, unknown>>

export interface EntryLink {
  readonly id: number
  /** The uid of its content-type, where a relation may lead to several. */
  readonly type?: string
  readonly label: string
  /** The end of the address of its page, where that is not the id. */
  readonly page?: string
  readonly url?: string
  readonly mime?: string
}

export function listAttributes(model: Model, component: string): readonly Attribute[] {
  return model.components.find(({ uid }) => uid === component)?.attributes ?? []
}

export function getType(model: Model, uid: string | undefined): Type | undefined {
  return model.types.find((type) => type.uid === uid)
}

/** Paths of attributes whose values the API never returns. */
export function listPrivateNames(
  attributes: readonly Attribute[],
  model: Model,
  depth = 0,
): readonly string[] {
  if (depth > MAX_DEPTH) return []
  return attributes.flatMap(({ name, type, private: hidden, component, components = [] }) => {
    if (hidden === true || type === 'password') return [name]
    const parts = component === undefined ? components : [component]
    const below = parts.flatMap((uid) => listPrivateNames(listAttributes(model, uid), model, depth + 1))
    return [...new Set(below)].map((inner) => `${name}.${inner}`)
  })
}

function labelAttribute(attributes: readonly Attribute[]): string | undefined {
  const texts = attributes.filter(({ type, private: hidden }) => type === 'string' && hidden !== true)
  const named = texts.find(({ name }) => ['name', 'title', 'label', 'username'].includes(name))
  return (named ?? texts[0])?.name
}

function formatLabel(values: Values, id: number, type: Type | undefined): string {
  const { title } = type?.look ?? {}
  const named = title !== undefined && values[title] !== null ? values[title] : undefined
  const other = values[labelAttribute(type?.attributes ?? []) ?? 'name']
  const label = named ?? other ?? values['name'] ?? values['username']
  return typeof label === 'string' && label !== '' ? label : `#${id}`
}

/** Components nested deeper are not populated. */
const MAX_DEPTH = 8

/** `populate` for everything that a form shows; undefined when it shows only scalars. */
export function getPopulate(
  attributes: readonly Attribute[],
  model: Model,
  depth = 0,
): Readonly<Record<string, unknown>> | undefined {
  const found: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const { name, kind, private: hidden } = attribute
    if (hidden === true || depth > MAX_DEPTH) continue
    const below = (uid: string): unknown => {
      const populate = getPopulate(listAttributes(model, uid), model, depth + 1)
      return populate === undefined ? 'true' : { populate }
    }
    if (kind === 'relation' || kind === 'media') found[name] = 'true'
    if (kind === 'component') found[name] = below(attribute.component ?? '')
    if (kind === 'dynamiczone')
      found[name] = { on: Object.fromEntries((attribute.components ?? []).map((uid) => [uid, below(uid)])) }
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** Relations whose entries belong to one entry only: a copy would take them from the original. */
const TAKING = ['oneToOne', 'oneToMany', 'morphOne', 'morphMany']

export function copyValues(attributes: readonly Attribute[], entry: Values, model: Model): Values {
  const copied = attributes.filter(({ type, relation = '' }) => type !== 'uid' && !TAKING.includes(relation))
  return buildFormValues(copied, entry, model)
}

export function queryText(value: Readonly<Record<string, unknown>>): string {
  const parts: string[] = []
  const add = (name: string, part: unknown): void => {
    if (part === undefined || part === '') return
    if (typeof part === 'object' && part !== null) {
      for (const [key, item] of Object.entries(part)) add(name === '' ? key : `${name}[${key}]`, item)
    } else
      parts.push(
        `${encodeURIComponent(name).replaceAll(/%(?:5B|5D|24)/g, decodeURIComponent)}=${encodeURIComponent(String(part))}`,
      )
  }
  add('', value)
  return parts.join('&')
}

export function toEntry(data: unknown): Entry | undefined {
  if (typeof data !== 'object' || data === null || !('id' in data)) return undefined
  const { attributes } = data as { attributes?: Values }
  return attributes === undefined ? (data as Entry) : { ...attributes, id: Number(data.id) }
}

export function toList(value: unknown): readonly unknown[] {
  const data = typeof value === 'object' && value !== null && 'data' in value ? value.data : value
  return Array.isArray(data) ? data : data === null || data === undefined ? [] : [data]
}

export function isSameLink(one: EntryLink, other: EntryLink): boolean {
  return one.id === other.id && one.type === other.type
}

export function toLinked(data: unknown, target: string | undefined, model: Model): EntryLink {
  const entry = toEntry(data) ?? { id: 0 }
  const { id, url, mime, documentId, locale } = entry
  const type = target ?? String(entry['__type'])
  const isLocalized = getType(model, type)?.locales !== undefined
  return {
    id,
    ...(target === undefined && { type }),
    label: formatLabel(entry, id, getType(model, type)),
    ...(typeof documentId === 'string' && {
      page: isLocalized ? `${documentId}?locale=${locale}` : documentId,
    }),
    ...(typeof url === 'string' && { url }),
    ...(typeof mime === 'string' && { mime }),
  }
}

export function buildFormValues(attributes: readonly Attribute[], response: Values, model: Model): Values {
  const values: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const value = response[attribute.name]
    if (value === undefined) continue
    values[attribute.name] = formValue(attribute, value, model)
  }
  return values
}

function formValue(attribute: Attribute, value: unknown, model: Model): unknown {
  const part = (item: unknown, uid: string): Values => ({
    ...(item as Values),
    ...buildFormValues(listAttributes(model, uid), item as Values, model),
  })
  switch (attribute.kind) {
    case 'scalar':
      return value
    case 'relation':
    case 'media': {
      const target = attribute.kind === 'media' ? 'plugin::upload.file' : attribute.target
      return toList(value).map((item) => toLinked(item, target, model))
    }
    case 'component':
      if (Array.isArray(value)) return value.map((item) => part(item, attribute.component ?? ''))
      return value === null ? null : part(value, attribute.component ?? '')
    case 'dynamiczone':
      return toList(value).map((item) => part(item, String((item as Values)['__component'])))
  }
}

/** A copy of a component in the same list: it has no id yet, nor have the components in it. */
export function copyComponent(component: string, value: Values, model: Model): Values {
  const { id: _, ...copied } = value
  const below: Record<string, unknown> = {}
  for (const { name, kind, component: uid = '' } of listAttributes(model, component)) {
    const inner = value[name]
    if ((kind !== 'component' && kind !== 'dynamiczone') || inner === null || inner === undefined) continue
    const copy = (part: Values): Values => copyComponent(String(part['__component'] ?? uid), part, model)
    below[name] = Array.isArray(inner) ? inner.map((part) => copy(part as Values)) : copy(inner as Values)
  }
  return { ...copied, ...below }
}

/**
 * For attributes with several linked entries, sends only added and removed links, so that links added by
 * others meanwhile stay. Another order of them is sent as the whole list.
 */
export function buildChanges(
  attributes: readonly Attribute[],
  values: Values,
  original: Values,
  model: Model,
): Record<string, unknown> {
  const payload = buildPayload(attributes, values, model, true)
  for (const { name, kind, many } of attributes) {
    if ((kind !== 'relation' && kind !== 'media') || many !== true) continue
    const now = (values[name] ?? []) as readonly EntryLink[]
    const before = (original[name] ?? []) as readonly EntryLink[]
    const without = (list: readonly EntryLink[], others: readonly EntryLink[]): readonly EntryLink[] =>
      list.filter((one) => !others.some((other) => isSameLink(one, other)))
    const added = without(now, before)
    const removed = without(before, now)
    // The API puts new links at the end.
    const expected = [...without(before, removed), ...added]
    if (expected.every((link, index) => isSameLink(link, now[index] ?? link)))
      payload[name] = { connect: added.map(sentLink), disconnect: removed.map(sentLink) }
  }
  return payload
}

function sentLink({ id, type }: EntryLink): unknown {
  return type === undefined ? id : { __type: type, id }
}

/** `ids`: whether components keep their ids, as in an update. */
export function buildPayload(
  attributes: readonly Attribute[],
  values: Values,
  model: Model,
  ids: boolean,
): Record<string, unknown> {
  const payload: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const value = values[attribute.name]
    if (value === undefined || attribute.computed !== undefined) continue
    payload[attribute.name] = sentValue(attribute, value, model, ids)
  }
  return payload
}

function sentValue(attribute: Attribute, value: unknown, model: Model, ids: boolean): unknown {
  const part = (item: Values, uid: string): Values => ({
    ...(ids && item['id'] !== undefined ? { id: item['id'] } : {}),
    ...buildPayload(listAttributes(model, uid), item, model, ids),
  })
  switch (attribute.kind) {
    case 'scalar':
      return value === '' && attribute.type !== 'string' && attribute.type !== 'text' ? null : value
    case 'relation':
    case 'media': {
      const linked = (value as readonly EntryLink[]).map(sentLink)
      return attribute.many === true ? linked : (linked[0] ?? null)
    }
    case 'component':
      if (value === null) return null
      return Array.isArray(value)
        ? value.map((item) => part(item as Values, attribute.component ?? ''))
        : part(value as Values, attribute.component ?? '')
    case 'dynamiczone':
      return (value as readonly Values[]).map((item) => ({
        __component: item['__component'],
        ...part(item, String(item['__component'])),
      }))
  }
}
