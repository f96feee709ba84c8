// The table of a list: its heads sort, arrows lead from row to row, and it keeps its height while it is loaded.

import { ArrowDown, ArrowUp } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { isNumeric } from './cells.tsx'
import { getTitleColumn, isSortable } from './columns.ts'
import { type EntryPage, getVersionKey } from './load.ts'
import { Row } from './rows.tsx'

interface TableProps {
  readonly type: Type
  readonly model: Model
  readonly columns: readonly Attribute[]
  readonly showsLocale: boolean
  /** Undefined while the first one is loaded. */
  readonly page: EntryPage | undefined
  readonly isLoading: boolean
  /** Whether the page is of the filters before, of which nothing can be chosen. */
  readonly isStale: boolean
  readonly modified: ReadonlySet<string>
  readonly sort: string
  readonly chosen: ReadonlySet<number>
  onSort(sort: string): void
  onChoose(entries: readonly Entry[], isChosen: boolean): void
}

const SKELETON_ROWS = 8

export function EntryTable(props: TableProps) {
  const { type, model, columns, showsLocale, page, isLoading, isStale, modified } = props
  const { sort, chosen, onSort, onChoose } = props
  const [current, setCurrent] = useState(0)
  /** The row of the last choice, from which a range goes on. */
  const last = useRef<number>(undefined)
  const entries = page?.entries ?? []
  const all = entries.length > 0 && entries.every(({ id }) => chosen.has(id))
  const some = entries.some(({ id }) => chosen.has(id))
  const showsEdit = !columns.some(({ name }) => name === 'updatedAt')

  const width = columns.length + [type.draftAndPublish, showsLocale, showsEdit].filter(Boolean).length

  const choose = (index: number, isRange: boolean): void => {
    const entry = entries[index]
    if (isStale || entry === undefined) return
    const from = isRange ? (last.current ?? index) : index
    last.current = index
    onChoose(
      entries.slice(Math.min(from, index), Math.max(from, index) + 1),
      isRange || !chosen.has(entry.id),
    )
  }
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const isRow = event.target instanceof HTMLElement && event.target.closest('tr') !== null
    if (step === 0 || !isRow) return
    event.preventDefault()
    const next = Math.max(0, Math.min(entries.length - 1, current + step))
    setCurrent(next)
    event.currentTarget.querySelectorAll('tr')[next]?.focus()
  }
  return (
    <section
      class="scroll entries"
      aria-label={say('Entries of {name}', { name: type.displayName })}
      aria-busy={isLoading}
    >
      <table>
        <thead>
          <tr>
            <td class="choose">
              <input
                type="checkbox"
                aria-label={say('Choose all of this page')}
                disabled={isStale || entries.length === 0}
                checked={all}
                indeterminate={some && !all}
                onChange={() => onChoose(entries, !all)}
              />
            </td>
            {columns.map((attribute) => (
              <>
                <Header {...{ attribute, sort }} onSort={isSortable(attribute) ? onSort : undefined} />
                {type.draftAndPublish && attribute.name === getTitleColumn(type) && (
                  <th scope="col">{say('State')}</th>
                )}
              </>
            ))}
            {showsLocale && <th scope="col">{say('Locale')}</th>}
            {showsEdit && (
              <Header
                attribute={{ name: 'updatedAt', label: say('Last edit'), kind: 'scalar', type: 'datetime' }}
                {...{ sort, onSort }}
              />
            )}
          </tr>
        </thead>
        <tbody onKeyDown={move}>
          {page === undefined
            ? Array.from({ length: SKELETON_ROWS }, () => <SkeletonRow columns={width} />)
            : entries.map((entry, index) => (
                <Row
                  key={`${entry.id}`}
                  {...{ entry, type, model, columns, showsLocale, isStale }}
                  isModified={modified.has(getVersionKey(entry))}
                  isChosen={chosen.has(entry.id)}
                  isCurrent={index === Math.min(current, entries.length - 1)}
                  onChoose={(isRange) => choose(index, isRange)}
                  onFocus={() => setCurrent(index)}
                />
              ))}
        </tbody>
      </table>
    </section>
  )
}

function SkeletonRow({ columns }: { readonly columns: number }) {
  return (
    <tr class="skeleton">
      <td class="choose" />
      {Array.from({ length: columns }, () => (
        <td>
          <span class="bone" />
        </td>
      ))}
    </tr>
  )
}

interface HeaderProps {
  readonly attribute: Attribute
  readonly sort: string
  readonly onSort: ((sort: string) => void) | undefined
}

/** Sorts upwards, downwards, then as at first. */
function Header({ attribute, sort, onSort }: HeaderProps) {
  const { name, label, kind } = attribute
  const order = sort === `${name}:asc` ? 'ascending' : sort === `${name}:desc` ? 'descending' : undefined
  const next = order === undefined ? `${name}:asc` : order === 'ascending' ? `${name}:desc` : ''
  if (kind === 'media')
    return (
      <th scope="col" class="picture">
        <span class="hidden">{label}</span>
      </th>
    )
  return (
    <th scope="col" aria-sort={order} class={isNumeric(attribute) ? 'number' : undefined}>
      {onSort === undefined ? (
        label
      ) : (
        <button type="button" class="head" onClick={() => onSort(next)}>
          {label}
          {order !== undefined && <Icon of={order === 'ascending' ? ArrowUp : ArrowDown} size={13} />}
        </button>
      )}
    </th>
  )
}
