// Where the command palette leads: pages, content-types, new entries, and entries that a search finds.

import { FileText, type IconNode, Plus, Table2 } from 'lucide'
import type { Entry, Model, Type } from '../described.ts'
import { getKey, getPage, searchEntries } from './data/load.ts'
import { say } from './messages.ts'
import type { PageLink } from './navigation.tsx'

export interface Destination {
  /** Within the page, without `#`; no two destinations have the same. */
  readonly address: string
  readonly label: string
  readonly hint: string
  readonly group: 'Content-types' | 'Pages' | 'Create' | 'Entries'
  readonly icon: IconNode
}

const MAX_ENTRIES_OF_TYPE = 4
/** Fewer than the connections that a browser opens, so that other requests of the page are answered between. */
const MAX_SEARCHES_AT_ONCE = 4

export function listDestinations(pages: readonly PageLink[], model: Model): readonly Destination[] {
  const types = model.types.filter(({ own, may }) => own && may.includes('find'))
  const creatable = model.types.filter(
    ({ own, kind, may }) => own && kind === 'collectionType' && may.includes('create'),
  )
  return [
    ...types.map(
      ({ name, displayName, kind }): Destination => ({
        address: `/data/${name}`,
        label: displayName,
        hint: kind === 'singleType' ? say('single') : '',
        group: 'Content-types',
        icon: Table2,
      }),
    ),
    ...pages.map(
      ({ name, title, icon }): Destination => ({
        address: `/${name}`,
        label: title(),
        hint: '',
        group: 'Pages',
        icon,
      }),
    ),
    ...creatable.map(
      ({ name, displayName }): Destination => ({
        address: `/data/${name}/new`,
        label: say('New {name}', { name: displayName }),
        hint: '',
        group: 'Create',
        icon: Plus,
      }),
    ),
  ]
}

/** Each word of the text has to be in the label; without a text new entries are left out. */
export function filterDestinations(
  destinations: readonly Destination[],
  text: string,
): readonly Destination[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return destinations.filter(({ group }) => group !== 'Create')
  return destinations.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
}

export interface SearchResult {
  readonly entries: readonly Destination[]
  /** For each content-type that could not be searched, the reason. */
  readonly failures: readonly string[]
}

/** Adds the entries of one content-type after another, until `isCurrent` says that the text is another. */
export async function findEntries(
  model: Model,
  text: string,
  isCurrent: () => boolean,
  onFound: (result: SearchResult) => void,
): Promise<void> {
  const waiting = model.types.filter(
    ({ own, kind, may }) => own && kind === 'collectionType' && may.includes('find'),
  )
  const found = new Map<Type, readonly Destination[]>()
  const failures: string[] = []
  const order = [...waiting]
  const search = async (): Promise<void> => {
    for (let type = waiting.shift(); type !== undefined && isCurrent(); type = waiting.shift()) {
      try {
        const { entries } = await searchEntries(type, model, text, 1, MAX_ENTRIES_OF_TYPE)
        const named = type
        found.set(
          type,
          entries.map((entry) => toDestination(named, entry)),
        )
      } catch (error) {
        failures.push((error as Error).message)
      }
      if (isCurrent())
        onFound({ entries: order.flatMap((one) => found.get(one) ?? []), failures: [...failures] })
    }
  }
  await Promise.all(Array.from({ length: MAX_SEARCHES_AT_ONCE }, search))
}

function toDestination(type: Type, entry: Entry): Destination {
  const { title } = type.look
  const label = title === undefined ? undefined : entry[title]
  const locale = type.locales === undefined ? '' : ` · ${entry['locale']}`
  return {
    address: getPage(type, entry),
    label:
      label === undefined || label === null || label === ''
        ? `${type.displayName} ${getKey(entry)}`
        : String(label),
    hint: `${type.displayName}${locale}`,
    group: 'Entries',
    icon: FileText,
  }
}
