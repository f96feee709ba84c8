// A table of a content-type's entries: the server searches, filters, sorts and pages.

import { useEffect, useState } from 'preact/hooks'
import type { Model, Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { goTo } from '../route.ts'
import { ChangeMany } from './change-many.tsx'
import { CountsMenu } from './counts.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Filters } from './filters.tsx'
import { getKey, type Page, readPage, type View } from './load.ts'
import { useRemovals } from './remove-later.ts'
import { Header, Pager, Row } from './rows.tsx'
import { duplicateEntry, removeEntries, setAllPublished } from './write.ts'

interface GridProps {
  readonly type: Type
  readonly model: Model
}

function firstView({ defaultLocale }: Type): View {
  const common = { search: '', filters: [], sort: '', page: 1, pageSize: 25, state: 'preview' } as const
  return { ...common, locale: defaultLocale ?? '' }
}

/** Hides long texts, components and zones at first. */
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
  const { isRemoved, done } = useRemovals(type)
  const attributes = columns.flatMap((name) => type.attributes.find((one) => one.name === name) ?? [])
  const links = attributes.filter(({ kind }) => kind !== 'scalar').map(({ name }) => name)

  useEffect(() => {
    let current = true
    readPage(type, model, view, Object.fromEntries(links.map((name) => [name, 'true']))).then(
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
  }, [type, view, links.join(), count, done, generation])

  const change = (part: Partial<View>): void => {
    setView({ ...view, page: 1, ...part })
    setChosen(new Set())
  }
  const chosenEntries = (page?.entries ?? []).filter(({ id }) => chosen.has(id))
  const [oneChosen] = chosenEntries
  const forChosen = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act()
      setChosen(new Set())
    } catch (fault) {
      setError((fault as Error).message)
    }
    setCount(count + 1)
  }
  const duplicateChosen = async (): Promise<void> => {
    // Those before an error stay.
    for (const entry of chosenEntries) await duplicateEntry(type, model, entry)
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
        <CountsMenu
          {...{ type, model, view }}
          onFilter={(filter) =>
            change({ filters: [...view.filters.filter(({ name }) => name !== filter.name), filter] })
          }
        />
        {!type.needsVersion && (
          <ChangeMany
            {...{ type, model, view }}
            chosen={chosenEntries}
            onChanged={() => {
              setChosen(new Set())
              setCount(count + 1)
            }}
          />
        )}
        <ExportMenu {...{ type, model, view, attributes, chosen }} />
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
              <button
                type="button"
                onClick={() => forChosen(() => setAllPublished(type, model, chosenEntries, true))}
              >
                Publish
              </button>
              <button
                type="button"
                onClick={() => forChosen(() => setAllPublished(type, model, chosenEntries, false))}
              >
                Unpublish
              </button>
            </>
          )}
          <button
            type="button"
            onClick={() => {
              if (chosenEntries.length === 1 && oneChosen !== undefined)
                goTo(`/data/${type.name}/new?from=${getKey(oneChosen)}`)
              else void forChosen(duplicateChosen)
            }}
          >
            Duplicate
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              if (confirm(`Delete ${chosen.size === 1 ? 'this entry' : `these ${chosen.size} entries`}?`))
                void forChosen(() => removeEntries(type, model, chosenEntries))
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
            {page?.entries
              .filter((entry) => !isRemoved(entry))
              .map((entry) => (
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
