// The list of a content-type's entries: the server searches, filters, sorts and pages; the address holds the view.

import { CircleAlert, Inbox, Plus, SearchX } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { goTo, replaceAddress } from '../route.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { buildRowPopulate, listColumns, listRowFields } from './columns.ts'
import { CountsMenu } from './counts.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FilterSentence } from './filter-sentence.tsx'
import { buildSelection, buildViewFilters, type EntryPage, readModified, readPage } from './load.ts'
import { Pager } from './pager.tsx'
import { useRemovals } from './remove-later.ts'
import { SearchInput } from './search-input.tsx'
import { EntryTable } from './table.tsx'
import { queryText } from './values.ts'
import { formatView, getListAddress, type ListView, parseView } from './view-address.ts'
import { ViewTabs } from './view-tabs.tsx'

interface GridProps {
  readonly type: Type
  readonly model: Model
  readonly query: URLSearchParams
}

/** Chosen entries stay chosen on other pages and in another order, but not behind other filters. */
interface Choice {
  readonly of: string
  readonly entries: ReadonlyMap<number, Entry>
  readonly isWhole: boolean
}

interface KnownPage {
  readonly of: string
  readonly selection: string
  readonly page: EntryPage
}

const NONE: Choice = { of: '', entries: new Map(), isWhole: false }
const NONE_MODIFIED: ReadonlySet<string> = new Set()

export function Grid({ type, model, query }: GridProps) {
  const { generation } = useLive()
  const view = parseView(type, query)
  const address = formatView(type, view)
  const selection = queryText(buildSelection(type, model, view, {}))
  const columns = listColumns(type, view.columns)
  const [known, setKnown] = useState<KnownPage>()
  const [modified, setModified] = useState(NONE_MODIFIED)
  const [error, setError] = useState<string>()
  const [isLoading, setLoading] = useState(true)
  const [choice, setChoice] = useState(NONE)
  const [count, setCount] = useState(0)
  const { isRemoved, done } = useRemovals(type)
  /** The number of entries holds for every page of the same selection until something is written. */
  const counted = `${selection} ${count} ${done} ${generation}`

  useEffect(() => {
    let current = true
    setLoading(true)
    const total = known?.of === counted ? known.page.total : undefined
    const options = { fields: listRowFields(type, columns), total }
    readPage(type, model, view, buildRowPopulate(columns, model), options)
      .then(async (page) => {
        if (!current) return
        if (page.entries.length === 0 && view.page > page.pageCount) {
          // The last page is gone, with its entries.
          replaceAddress(getListAddress(type, formatView(type, { ...view, page: page.pageCount })))
          return
        }
        setKnown({ of: counted, selection, page })
        setError(undefined)
        setLoading(false)
        if (view.state === 'live') return
        const changed = await readModified(type, model, page.entries, view.locale)
        if (current) setModified(changed)
      })
      .catch((fault: Error) => {
        if (!current) return
        setError(fault.message)
        setLoading(false)
      })
    return () => {
      current = false
    }
  }, [type, address, counted])

  const change = (part: Partial<ListView>): void =>
    goTo(getListAddress(type, formatView(type, { ...view, page: 1, ...part })))
  const chosen = choice.of === selection ? choice.entries : NONE.entries
  const isWhole = choice.of === selection && choice.isWhole
  const choose = (entries: readonly Entry[], isChosen: boolean): void => {
    const next = new Map(chosen)
    for (const entry of entries) {
      if (isChosen) next.set(entry.id, entry)
      else next.delete(entry.id)
    }
    setChoice({ of: selection, entries: next, isWhole: false })
  }
  const filters = buildViewFilters(type, model, view)
  const locale = type.locales === undefined ? undefined : view.locale
  const read = known?.page
  const page = read && { ...read, entries: read.entries.filter((entry) => !isRemoved(entry)) }
  const isPlain = view.search === '' && view.filters.length === 0 && view.state === 'preview'
  const isEmpty = error === undefined && !isLoading && page?.entries.length === 0
  const mayCreate = type.may.includes('create')
  const newAddress = `#/data/${type.name}/new${locale === undefined || locale === 'all' ? '' : `?locale=${locale}`}`
  return (
    <div class="list-page">
      <ViewTabs {...{ type, view }} />
      <div class="list-tools">
        <SearchInput
          label={say('Search {name}', { name: type.displayName })}
          value={view.search}
          onSearch={(search) => {
            const text = formatView(type, { ...view, page: 1, search })
            replaceAddress(getListAddress(type, text))
          }}
        />
        {type.locales !== undefined && (
          <label class="inline">
            <span class="quiet">{say('Locale')}</span>
            <select value={view.locale} onChange={(event) => change({ locale: event.currentTarget.value })}>
              <option value="all">{say('all')}</option>
              {type.locales.map((one) => (
                <option>{one}</option>
              ))}
            </select>
          </label>
        )}
        <span class="list-menus">
          <ColumnChoice
            {...{ type, columns: view.columns }}
            onChange={(next) => change({ columns: next, page: view.page })}
          />
          <CountsMenu
            {...{ type, model, view }}
            onFilter={(filter) =>
              change({ filters: [...view.filters.filter(({ name }) => name !== filter.name), filter] })
            }
          />
          <ExportMenu
            {...{ type, model, view }}
            attributes={columns}
            chosen={new Set(isWhole ? [] : chosen.keys())}
          />
          {mayCreate && (
            <a class="button main" href={newAddress}>
              <Icon of={Plus} /> {say('New entry')}
            </a>
          )}
        </span>
      </div>
      <FilterSentence
        {...{ type, model }}
        filters={view.filters}
        onChange={(next) => change({ filters: next })}
      />
      {error !== undefined ? (
        <div class="state-panel" role="alert">
          <Icon of={CircleAlert} size={32} />
          <h2>{say('The entries could not be loaded')}</h2>
          <p>{error}</p>
          <button type="button" onClick={() => setCount(count + 1)}>
            {say('Try again')}
          </button>
        </div>
      ) : isEmpty ? (
        <div class="state-panel">
          <Icon of={isPlain ? Inbox : SearchX} size={32} />
          <h2>
            {isPlain
              ? say('No entries of {name} yet', { name: type.displayName })
              : say('Nothing matches this view')}
          </h2>
          <p>
            {isPlain
              ? (type.description ?? say('What is created here appears in this list.'))
              : describeSearch(view)}
          </p>
          {isPlain ? (
            mayCreate && (
              <a class="button main" href={newAddress}>
                {say('Create the first {name}', { name: type.displayName })}
              </a>
            )
          ) : (
            <a class="button" href={`#${getListAddress(type, '')}`}>
              {say('Show all entries')}
            </a>
          )}
        </div>
      ) : (
        <EntryTable
          {...{ type, model, columns, page, isLoading, modified }}
          isStale={known !== undefined && known.selection !== selection}
          showsLocale={locale === 'all' && !columns.some(({ name }) => name === 'locale')}
          sort={view.sort}
          chosen={isWhole ? new Set(page?.entries.map(({ id }) => id)) : new Set(chosen.keys())}
          onSort={(sort) => change({ sort })}
          onChoose={choose}
        />
      )}
      {page !== undefined && error === undefined && (
        <Pager
          {...{ page, view }}
          onChange={(part) => {
            change(part)
            scrollTo({ top: 0 })
          }}
        />
      )}
      <BulkBar
        {...{ type, model, isWhole }}
        chosen={[...chosen.values()]}
        total={page?.total ?? 0}
        whole={filters === undefined ? undefined : { filters, locale }}
        onWhole={() => setChoice({ of: selection, entries: chosen, isWhole: true })}
        onClear={() => setChoice(NONE)}
        onDone={(left) => {
          setChoice({
            of: selection,
            entries: new Map(left.map((entry) => [entry.id, entry])),
            isWhole: false,
          })
          setCount((before) => before + 1)
        }}
      />
    </div>
  )
}

function describeSearch({ search, filters, state }: ListView): string {
  if (search !== '') return say('No entry has “{text}”.', { text: search })
  if (filters.length > 0) return say('No entry meets all conditions.')
  if (state === 'draft') return say('There are no drafts.')
  return state === 'scheduled' ? say('Nothing is scheduled.') : say('Nothing is published.')
}
