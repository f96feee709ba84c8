// The cells of a list, by the type of their attribute: pictures, titles of links, dates and numbers as people read them.

import { File, Image } from 'lucide'
import type { Attribute, Entry, Model } from '../../described.ts'
import { getLanguage, say, sayCount } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { getLinkTitle } from './columns.ts'
import { toEntry, toList } from './values.ts'

const MAX_LINKS = 2
const MAX_LETTERS = 160

interface CellProps {
  readonly attribute: Attribute
  readonly value: unknown
  readonly model: Model
}

export function CellContent({ attribute, value, model }: CellProps) {
  const { kind, type, target, components } = attribute
  if (kind === 'media') return <Files items={toList(value)} />
  if (kind === 'relation')
    return <Links titles={toList(value).map((one) => getLinkTitle(one, target, model))} />
  if (kind === 'component' || kind === 'dynamiczone') {
    const count = Array.isArray(value) || components !== undefined ? toList(value).length : undefined
    const isEmpty = value === null || value === undefined || count === 0
    if (isEmpty) return null
    return (
      <span class="quiet">
        {count === undefined ? say('filled in') : sayCount(count, '{count} block', '{count} blocks')}
      </span>
    )
  }
  if (value === null || value === undefined || value === '') return null
  switch (type) {
    case 'boolean':
      return value === true ? say('Yes') : say('No')
    case 'date':
    case 'datetime':
    case 'time':
      return <Moment type={type} value={String(value)} />
    case 'enumeration':
      return <span class="choice">{String(value)}</span>
    case 'integer':
    case 'decimal':
    case 'float':
      return typeof value === 'number' ? formatNumber(value) : String(value)
    default:
      return formatText(value)
  }
}

export function isNumeric({ type }: Attribute): boolean {
  return ['integer', 'biginteger', 'decimal', 'float'].includes(type)
}

export function formatNumber(value: number): string {
  return value.toLocaleString(getLanguage(), { maximumFractionDigits: 10 })
}

function formatText(value: unknown): string {
  const text = typeof value === 'object' ? readBlocks(value) : String(value)
  return text.length > MAX_LETTERS ? `${text.slice(0, MAX_LETTERS)}…` : text
}

/** The words of blocks; other JSON as it is. */
function readBlocks(value: unknown): string {
  const words = (node: unknown): string => {
    if (Array.isArray(node)) return node.map(words).join(' ')
    const { text, children } = (node ?? {}) as { text?: unknown; children?: unknown }
    return typeof text === 'string' ? text : Array.isArray(children) ? words(children) : ''
  }
  const isBlocks =
    Array.isArray(value) && value.every((one) => typeof one === 'object' && 'children' in (one ?? {}))
  return isBlocks ? words(value) : JSON.stringify(value)
}

/** In the reader's language; the title has the value as it is. */
export function Moment({ type, value }: { readonly type: string; readonly value: string }) {
  return (
    <time dateTime={type === 'time' ? value.slice(0, 8) : value} title={value}>
      {formatMoment(type, value)}
    </time>
  )
}

/** The time of today, the day of all others. */
export function RecentMoment({ value }: { readonly value: string }) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return null
  const isToday = date.toDateString() === new Date().toDateString()
  const short = isToday
    ? date.toLocaleTimeString(getLanguage(), { timeStyle: 'short' })
    : date.toLocaleDateString(getLanguage(), { dateStyle: 'medium' })
  return (
    <time dateTime={value} title={`${formatMoment('datetime', value)} (${value})`}>
      {short}
    </time>
  )
}

export function formatMoment(type: string, value: string): string {
  if (type === 'time') return value.slice(0, 5)
  const date = new Date(type === 'date' ? `${value}T00:00:00Z` : value)
  if (Number.isNaN(date.getTime())) return value
  return type === 'date'
    ? date.toLocaleDateString(getLanguage(), { dateStyle: 'medium', timeZone: 'UTC' })
    : date.toLocaleString(getLanguage(), { dateStyle: 'medium', timeStyle: 'short' })
}

function Links({ titles }: { readonly titles: readonly string[] }) {
  const more = titles.length - MAX_LINKS
  return (
    <span title={more > 0 ? titles.join(', ') : undefined}>
      {titles.slice(0, MAX_LINKS).join(', ')}
      {more > 0 && <span class="quiet"> +{more}</span>}
    </span>
  )
}

function Files({ items }: { readonly items: readonly unknown[] }) {
  const [first, ...others] = items.flatMap((item) => toEntry(item) ?? [])
  if (first === undefined)
    return (
      <span class="thumbnail none">
        <Icon of={Image} />
      </span>
    )
  return (
    <span class="files">
      <Thumbnail file={first} />
      {others.length > 0 && <span class="quiet">+{others.length}</span>}
    </span>
  )
}

/** Shows pictures of this server only, so that the page contacts no other host. */
function Thumbnail({ file }: { readonly file: Entry }) {
  const { url, mime, name, formats } = file
  const small = (formats as { thumbnail?: { url?: unknown } } | null | undefined)?.thumbnail?.url
  const source = typeof small === 'string' ? small : url
  const isPicture = typeof mime === 'string' && mime.startsWith('image/')
  if (isPicture && typeof source === 'string' && isHere(source))
    return <img class="thumbnail" src={source} alt="" title={String(name)} loading="lazy" />
  return (
    <span class="thumbnail none" title={String(name)}>
      <Icon of={isPicture ? Image : File} />
    </span>
  )
}

function isHere(url: string): boolean {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
}
