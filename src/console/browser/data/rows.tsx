// The parts of a grid: sortable heads, rows, and links to other pages.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { shown } from './export.ts'
import { getPage, type Page, type View } from './load.ts'
import { buildFormValues } from './values.ts'

export function Header({
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

interface RowProps {
  readonly type: Type
  readonly model: Model
  readonly entry: Entry
  readonly attributes: readonly Attribute[]
  readonly chosen: boolean
  onChoose(): void
}

export function Row({ entry, type, model, attributes, chosen, onChoose }: RowProps) {
  const values = buildFormValues(attributes, entry, model)
  const address = `#${getPage(type, entry)}`
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

export function Pager({
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
