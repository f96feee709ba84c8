// The columns of a list: attributes of the content-type, and what every entry has.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { getType, toEntry } from './values.ts'

/** They have inputs of their own. */
const OF_LOCALES: readonly string[] = ['locale', 'localizations']

/** What a list may filter by. */
export function listFilterable({ attributes }: Type): readonly Attribute[] {
  const shown = attributes.filter(
    ({ name, type, private: hidden }) => hidden !== true && type !== 'password' && !OF_LOCALES.includes(name),
  )
  const names = new Set(shown.map(({ name }) => name))
  const system: readonly Attribute[] = [
    { name: 'id', label: say('ID'), kind: 'scalar', type: 'integer' },
    { name: 'createdAt', label: say('Created'), kind: 'scalar', type: 'datetime' },
    { name: 'updatedAt', label: say('Last edit'), kind: 'scalar', type: 'datetime' },
  ]
  return [...shown, ...system.filter(({ name }) => !names.has(name))]
}

/** The list has its own filters for them, and drafts of Strapi 5 do not have the moment themselves. */
const SHOWN_ONLY: readonly string[] = ['publishedAt', 'locale', 'documentId']

export function listShowable(type: Type): readonly Attribute[] {
  const { draftAndPublish, locales, look } = type
  const others: readonly Attribute[] = [
    ...(draftAndPublish
      ? [{ name: 'publishedAt', label: say('Published'), kind: 'scalar', type: 'datetime' } as const]
      : []),
    ...(locales === undefined
      ? []
      : [{ name: 'locale', label: say('Locale'), kind: 'scalar', type: 'string' } as const]),
    // Of no use to editors, unless the file wants it.
    ...(look.list.includes('documentId')
      ? [{ name: 'documentId', label: say('Document ID'), kind: 'scalar', type: 'string' } as const]
      : []),
  ]
  return [...listFilterable(type), ...others]
}

export function isSortable({ kind, name }: Attribute): boolean {
  return kind === 'scalar' && !SHOWN_ONLY.includes(name)
}

/** The column whose cells lead to the entries. */
export function getTitleColumn({ look }: Type): string {
  return look.title ?? 'id'
}

/** `chosen`: names in their order. The title is always among them, behind pictures. */
export function listColumns(type: Type, chosen: readonly string[] = type.look.list): readonly Attribute[] {
  const showable = listShowable(type)
  const title = getTitleColumn(type)
  const columns = [...new Set(chosen)].flatMap((name) => showable.find((one) => one.name === name) ?? [])
  if (columns.some(({ name }) => name === title)) return columns
  const titled = showable.filter(({ name }) => name === title)
  const pictures = columns.filter(({ kind }) => kind === 'media')
  return [...pictures, ...titled, ...columns.filter((one) => !pictures.includes(one))]
}

/** Links with no more than their titles, so that a row stays small. */
export function buildRowPopulate(
  columns: readonly Attribute[],
  model: Model,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    columns
      .filter(({ kind }) => kind !== 'scalar')
      .map(({ name, kind, target }) => {
        const linked = kind === 'relation' ? getType(model, target) : undefined
        const title = linked?.own === true ? linked.look.title : undefined
        return [name, title === undefined ? 'true' : { fields: [title] }]
      }),
  )
}

export function listRowFields(type: Type, columns: readonly Attribute[]): readonly string[] {
  const scalars = columns.filter(({ kind }) => kind === 'scalar').map(({ name }) => name)
  return [
    ...new Set([
      ...scalars.filter((name) => name !== 'id' && name !== 'documentId'),
      ...(type.look.title === undefined ? [] : [type.look.title]),
      ...(type.draftAndPublish ? ['publishedAt'] : []),
      ...(type.locales === undefined ? [] : ['locale']),
      'updatedAt',
    ]),
  ]
}

/** The title of an entry, or its id. */
export function getTitle(type: Type | undefined, entry: Entry): string {
  const named = type?.look.title === undefined ? (entry['name'] ?? entry['username']) : entry[type.look.title]
  return typeof named === 'string' && named !== '' ? named : `#${entry.id}`
}

export function getLinkTitle(item: unknown, target: string | undefined, model: Model): string {
  const entry = toEntry(item)
  if (entry === undefined) return ''
  return getTitle(getType(model, target ?? String(entry['__type'])), entry)
}

/** `name`: of an attribute, or a path that begins with it. */
export function findAttribute(
  attributes: readonly Attribute[],
  { name }: { readonly name: string },
): Attribute | undefined {
  const [first] = name.split('.')
  return attributes.find((one) => one.name === first)
}
