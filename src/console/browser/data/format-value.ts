// Values of an entry as text for people, such as dates in words and components by their labels.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { getLanguage, say } from '../messages.ts'
import { type EntryLink, listAttributes, type Values } from './values.ts'

/** The language is known after this file is loaded, and stays. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}

const getMoment = once(
  () => new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'medium', timeStyle: 'short' }),
)
const getTime = once(() => new Intl.DateTimeFormat(getLanguage(), { timeStyle: 'short' }))
const getRelative = once(() => new Intl.RelativeTimeFormat(getLanguage(), { numeric: 'auto' }))

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** With the date, unless it is today. */
export function formatTime(at: number): string {
  return new Date(at).toDateString() === new Date().toDateString()
    ? getTime().format(at)
    : getMoment().format(at)
}

export function formatMoment(value: unknown): string {
  const at = new Date(typeof value === 'number' ? value : String(value))
  return Number.isNaN(at.getTime()) ? String(value) : getMoment().format(at)
}

/** `3 hours ago`. */
export function formatAgo(value: unknown, now = Date.now()): string {
  const seconds = (Date.parse(String(value)) - now) / 1000
  if (Number.isNaN(seconds)) return String(value)
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size)
  return unit === undefined ? say('just now') : getRelative().format(Math.trunc(seconds / unit[1]), unit[0])
}

/** A content-type within a text: in German nouns keep their capitals. */
export function nameWithin({ displayName }: Type): string {
  return getLanguage() === 'en' ? displayName.toLowerCase() : displayName
}

export function formatTitle(type: Type, entry: Values): string {
  const title = type.look.title === undefined ? undefined : entry[type.look.title]
  if (typeof title === 'string' && title.trim() !== '') return title
  return type.kind === 'singleType' ? type.displayName : say('Untitled {name}', { name: nameWithin(type) })
}

export function formatValue(attribute: Attribute, value: unknown, model: Model): string {
  if (value === undefined || value === null || value === '') return ''
  switch (attribute.kind) {
    case 'scalar':
      return formatScalar(attribute, value)
    case 'relation':
    case 'media':
      return (value as readonly EntryLink[]).map(({ label }) => label).join(', ')
    case 'component':
    case 'dynamiczone': {
      const items = (Array.isArray(value) ? value : [value]) as readonly Values[]
      return items
        .map((item) => formatComponent(attribute.component ?? String(item['__component']), item, model))
        .join('\n')
    }
  }
}

function formatComponent(uid: string, item: Values, model: Model): string {
  return listAttributes(model, uid)
    .flatMap((attribute) => {
      const text = formatValue(attribute, item[attribute.name], model)
      return text === '' ? [] : [`${attribute.label}: ${text}`]
    })
    .join(' · ')
}

function formatScalar({ type }: Attribute, value: unknown): string {
  switch (type) {
    case 'boolean':
      return value === true ? say('yes') : say('no')
    case 'datetime':
    case 'timestamp':
      return formatMoment(value)
    case 'password':
      return '••••••'
    case 'blocks':
      return listTexts(value).join('\n')
    default:
      return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value)
  }
}

/** The text of each block, without its form. */
function listTexts(blocks: unknown): readonly string[] {
  const read = (node: unknown): string => {
    const { text, children } = (node ?? {}) as { text?: unknown; children?: readonly unknown[] }
    return typeof text === 'string' ? text : (children ?? []).map(read).join('')
  }
  return Array.isArray(blocks) ? blocks.map(read) : []
}

/** The address of an entry's page at its site; undefined without one, or if it lacks a value. */
export function buildPreviewAddress({ look }: Type, entry: Entry): string | undefined {
  if (look.preview === undefined) return undefined
  let complete = true
  const address = look.preview.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = entry[name]
    if (value === undefined || value === null || typeof value === 'object') complete = false
    return encodeURIComponent(String(value))
  })
  return complete && /^https?:\/\//i.test(address) ? address : undefined
}
