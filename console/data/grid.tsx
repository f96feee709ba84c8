// A table of a content-type's entries: the server searches, filters, sorts and pages.

import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../src/console/described.ts'
import { useLive } from '../live.ts'
import { goTo } from '../route.ts'
import { asCsv, asJson, asYaml, download, readAll, shown } from './export.ts'
import { Filters } from './filters.tsx'
import { type Page, readPage, removeEntry, setPublished, type View } from './load.ts'
import { formValues } from './values.ts'

interface GridProps {
  readonly type: Type
  readonly model: Model
}

function firstView({ defaultLocale }: Type): View {
  const common = { search: '', filters: [], sort: '', page: 1, pageSize: 25, state: 'preview' } as const
  return { ...common, locale: defaultLocale ?? '' }
}

/** Long texts and parts are left out at first. */
function firstColumns({ attributes }: Type): readonly string[] {
  const wide = ['uid', 'text', 'richtext', 'blocks', 'json', 'component', 'dynamiczone', 'password']
  return attributes
    .filter(({ type, private: hidden }) => hidden !== true && !wide.includes(type))
    .slice(0, 6)
    .map(({ name }) => name)
}

export function Grid({ type, model }: GridProps) {
  const { generation } = useLive()
  const [view, setView] = useState(firstView(type))
  const [columns, setColumns] = useState(firstColumns(type))
  const [page, setPage] = useState<Page>()
  const [error, setError] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [count, setCount] = useState(0)
  const attributes = columns.flatMap((name) => type.attributes.find((one) => one.name === name) ?? [])
  const links = attributes.filter(({ kind }) => kind !== 'scalar').map(({ name }) => name)

  useEffect(() => {
    let current = true
    readPage(type, view, links).then(
      (found) => {
        if (!current) return
        setPage(found)
        setError(undefined)
      },
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [type, view, links.join(), count, generation])

  const change = (part: Partial<View>): void => {
    setView({ ...view, page: 1, ...part })
    setChosen(new Set())
  }
  const forChosen = async (act: (id: number) => Promise<void>): Promise<void> => {
    try {
      for (const id of chosen) await act(id)
      setChosen(new Set())
    } catch (fault) {
      setError((fault as Error).message)
    }
    setCount(count + 1)
  }
  const save = async (kind: 'csv' | 'json' | 'yaml'): Promise<void> => {
    const parts = type.attributes.filter((one) => one.kind !== 'scalar' && one.private !== true)
    const all = await readAll(type, view, kind === 'csv' ? links : parts.map(({ name }) => name))
    const entries = chosen.size === 0 ? all : all.filter(({ id }) => chosen.has(id))
    if (kind === 'yaml') download(`${type.name}.yaml`, await asYaml(entries, type, model), 'text/yaml')
    if (kind === 'json') download(`${type.plural}.json`, asJson(entries), 'application/json')
    if (kind === 'csv') {
      const flat = entries.map((entry): Entry => {
        const values = formValues(attributes, entry, model)
        return {
          id: entry.id,
          ...values,
          ...Object.fromEntries(links.map((name) => [name, shown(values[name])])),
        }
      })
      download(`${type.plural}.csv`, asCsv(flat, ['id', ...columns]), 'text/csv')
    }
  }
  const ids = page?.entries.map(({ id }) => id) ?? []
  const all = ids.length > 0 && ids.every((id) => chosen.has(id))
  return (
    <>
      <div class="toolbar">
        <label>
          Search
          <input
            type="search"
            value={view.search}
            onInput={(event) => change({ search: event.currentTarget.value })}
          />
        </label>
        {type.draftAndPublish && (
          <label>
            State
            <select
              value={view.state}
              onChange={(event) => change({ state: event.currentTarget.value as View['state'] })}
            >
              <option value="preview">drafts, too</option>
              <option value="live">published</option>
            </select>
          </label>
        )}
        {type.locales !== undefined && (
          <label>
            Locale
            <select value={view.locale} onChange={(event) => change({ locale: event.currentTarget.value })}>
              <option value="all">all</option>
              {type.locales.map((locale) => (
                <option>{locale}</option>
              ))}
            </select>
          </label>
        )}
        <details class="menu">
          <summary class="button">Columns</summary>
          <fieldset>
            <legend class="hidden">Columns</legend>
            {type.attributes
              .filter((one) => one.private !== true && one.type !== 'password')
              .map(({ name }) => (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={columns.includes(name)}
                    onChange={() =>
                      setColumns(
                        type.attributes
                          .map((one) => one.name)
                          .filter((one) => (one === name) !== columns.includes(one)),
                      )
                    }
                  />{' '}
                  {name}
                </label>
              ))}
          </fieldset>
        </details>
        <details class="menu">
          <summary class="button">Export</summary>
          <div class="list">
            <button type="button" onClick={() => save('csv')}>
              CSV
            </button>
            <button type="button" onClick={() => save('json')}>
              JSON
            </button>
            <button type="button" onClick={() => save('yaml')}>
              data: for the file
            </button>
          </div>
        </details>
        <a
          class="button main"
          href={`#/data/${type.name}/new${view.locale === 'all' || view.locale === '' ? '' : `?locale=${view.locale}`}`}
        >
          New entry
        </a>
      </div>
      <Filters type={type} filters={view.filters} onChange={(filters) => change({ filters })} />
      {error !== undefined && (
        <p class="notice wrong" role="alert">
          {error}
        </p>
      )}
      {chosen.size > 0 && (
        <div class="notice buttons" role="group" aria-label="Chosen entries">
          <strong>{chosen.size} chosen</strong>
          {type.draftAndPublish && (
            <>
              <button type="button" onClick={() => forChosen((id) => setPublished(type, id, true))}>
                Publish
              </button>
              <button type="button" onClick={() => forChosen((id) => setPublished(type, id, false))}>
                Unpublish
              </button>
            </>
          )}
          {chosen.size === 1 && (
            <button type="button" onClick={() => goTo(`/data/${type.name}/new?from=${[...chosen][0]}`)}>
              Duplicate
            </button>
          )}
          <button
            type="button"
            class="danger"
            onClick={() => {
              if (confirm(`Delete ${chosen.size === 1 ? 'this entry' : `these ${chosen.size} entries`}?`))
                void forChosen((id) => removeEntry(type, id))
            }}
          >
            Delete
          </button>
        </div>
      )}
      <section class="scroll" tabIndex={0} aria-label={`Entries of ${type.displayName}`}>
        <table>
          <thead>
            <tr>
              <td>
                <input
                  type="checkbox"
                  aria-label="Choose all of this page"
                  checked={all}
                  onChange={() => setChosen(new Set(all ? [] : ids))}
                />
              </td>
              <Header name="id" view={view} sort={(sort) => change({ sort })} />
              {attributes.map(({ name, kind }) => (
                <Header
                  name={name}
                  view={view}
                  sort={kind === 'scalar' ? (sort) => change({ sort }) : undefined}
                />
              ))}
              {type.draftAndPublish && <th scope="col">state</th>}
              {type.locales !== undefined && <th scope="col">locale</th>}
            </tr>
          </thead>
          <tbody>
            {page?.entries.map((entry) => (
              <Row
                {...{ entry, type, model, attributes }}
                chosen={chosen.has(entry.id)}
                onChoose={() => {
                  const next = new Set(chosen)
                  if (!next.delete(entry.id)) next.add(entry.id)
                  setChosen(next)
                }}
              />
            ))}
          </tbody>
        </table>
      </section>
      <Pager page={page} view={view} onChange={(number) => change({ page: number })} />
    </>
  )
}

function Header({
  name,
  view: { sort: current },
  sort,
}: {
  readonly name: string
  readonly view: View
  readonly sort: ((sort: string) => void) | undefined
}) {
  const order =
    current === `${name}:asc` ? 'ascending' : current === `${name}:desc` ? 'descending' : undefined
  const mark = order === undefined ? '' : order === 'ascending' ? ' ↑' : ' ↓'
  return (
    <th scope="col" aria-sort={order}>
      {sort === undefined ? (
        name
      ) : (
        <button
          type="button"
          class="head"
          onClick={() =>
            sort(order === undefined ? `${name}:asc` : order === 'ascending' ? `${name}:desc` : '')
          }
        >
          {name}
          {mark}
        </button>
      )}
    </th>
  )
}

interface RowProps extends GridProps {
  readonly entry: Entry
  readonly attributes: readonly Attribute[]
  readonly chosen: boolean
  onChoose(): void
}

function Row({ entry, type, model, attributes, chosen, onChoose }: RowProps) {
  const values = formValues(attributes, entry, model)
  const address = `#/data/${type.name}/${entry.id}`
  return (
    <tr>
      <td>
        <input type="checkbox" aria-label={`Choose entry ${entry.id}`} checked={chosen} onChange={onChoose} />
      </td>
      <td>
        <a href={address}>{entry.id}</a>
      </td>
      {attributes.map(({ name, type: kind }) => (
        <td class={kind === 'integer' || kind === 'decimal' || kind === 'float' ? 'cell number' : 'cell'}>
          {shown(values[name])}
        </td>
      ))}
      {type.draftAndPublish && (
        <td>
          {entry['publishedAt'] === null ? (
            <span class="tag warning">draft</span>
          ) : (
            <span class="tag good">published</span>
          )}
        </td>
      )}
      {type.locales !== undefined && <td>{String(entry['locale'])}</td>}
    </tr>
  )
}

function Pager({
  page,
  view,
  onChange,
}: {
  readonly page: Page | undefined
  readonly view: View
  onChange(page: number): void
}) {
  if (page === undefined) return <p class="quiet">Loading …</p>
  const { total, pageCount } = page
  return (
    <div class="pager">
      <span role="status">
        {total} {total === 1 ? 'entry' : 'entries'}
      </span>
      {pageCount > 1 && (
        <>
          <button type="button" disabled={view.page <= 1} onClick={() => onChange(view.page - 1)}>
            Previous
          </button>
          <span>
            page {view.page} of {pageCount}
          </span>
          <button type="button" disabled={view.page >= pageCount} onClick={() => onChange(view.page + 1)}>
            Next
          </button>
        </>
      )}
    </div>
  )
}
