// Chooses how the pages show a content-type: as the file says, else by the names and kinds of its attributes.

import type { LookConfig } from '../config/config.ts'
import type { Attribute } from '../model/attribute.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Look } from './described.ts'

const MAX_COLUMNS = 5
const TITLES = ['title', 'name', 'label', 'username', 'subject', 'headline']
const DATES: ReadonlySet<string> = new Set(['date', 'datetime', 'time'])
const SHORT: ReadonlySet<string> = new Set([
  'string',
  'enumeration',
  'boolean',
  'integer',
  'decimal',
  'email',
])

export function buildLook(type: ContentType, said: LookConfig = {}): Look {
  const shown = [...type.attributes.values()].filter(
    (attribute) => !attribute.private && attribute.type !== 'password' && attribute.declared !== undefined,
  )
  const title = said.title === undefined ? findTitle(shown) : type.attributes.get(said.title)
  return {
    title: title?.name,
    list: said.list ?? listColumns(shown, title),
    groups: buildGroups([...type.attributes.keys()], said.groups),
    preview: said.preview,
  }
}

function buildGroups(names: readonly string[], said: LookConfig['groups'] = []): Look['groups'] {
  const placed = new Set(said.flatMap(({ fields }) => fields))
  const rest = { label: '', fields: names.filter((name) => !placed.has(name)) }
  const groups = said.map(({ label = '', fields }) => ({ label, fields }))
  return rest.fields.length === 0 && groups.length > 0 ? groups : [...groups, rest]
}

/** `publishedAt` -> `Published at`. */
export function formatLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z]+$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

function findTitle(attributes: readonly Attribute[]): Attribute | undefined {
  const texts = attributes.filter(({ type }) => type === 'string' || type === 'text')
  const named = TITLES.flatMap((name) => texts.find((one) => one.name === name) ?? [])
  return named[0] ?? texts.find(({ type }) => type === 'string')
}

/** A picture, the title, what one entry links to, dates, then short values. */
function listColumns(attributes: readonly Attribute[], title: Attribute | undefined): readonly string[] {
  const isPicture = ({ kind, name }: Attribute): boolean => kind === 'media' && name !== title?.name
  const isLink = (attribute: Attribute): boolean =>
    attribute.kind === 'relation' && attribute.cardinality === 'one'
  const columns = [
    attributes.find(isPicture),
    title,
    ...attributes.filter(isLink).slice(0, 2),
    attributes.find(({ type }) => DATES.has(type)),
    ...attributes.filter(({ type }) => SHORT.has(type)),
  ]
  const names = columns.flatMap((attribute) => attribute?.name ?? [])
  return [...new Set(names)].slice(0, MAX_COLUMNS)
}
