// The rows of a list. A click anywhere opens the entry; its title is a link, for new tabs and screen readers.

import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { goTo } from '../route.ts'
import { CellContent, isNumeric, RecentMoment } from './cells.tsx'
import { getTitle, getTitleColumn } from './columns.ts'
import { getPage } from './load.ts'

interface RowProps {
  readonly type: Type
  readonly model: Model
  readonly entry: Entry
  readonly columns: readonly Attribute[]
  readonly showsLocale: boolean
  readonly isStale: boolean
  readonly isModified: boolean
  readonly isChosen: boolean
  /** Whether Tab leads to it: to one row of the list. */
  readonly isCurrent: boolean
  onChoose(isRange: boolean): void
  onFocus(): void
}

export function Row(props: RowProps) {
  const { entry, type, model, columns, showsLocale, isStale, isModified, isChosen } = props
  const { isCurrent, onChoose, onFocus } = props
  const address = getPage(type, entry)
  const title = getTitle(type, entry)
  const titleColumn = getTitleColumn(type)
  return (
    <tr
      class={isChosen ? 'chosen' : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={onFocus}
      onClick={(event) => {
        if (!isFree(event)) return
        if (event.ctrlKey || event.metaKey) window.open(`#${address}`)
        else if (event.shiftKey) onChoose(true)
        else goTo(address)
      }}
      onAuxClick={(event) => {
        if (event.button === 1 && isFree(event)) window.open(`#${address}`)
      }}
      onMouseDown={(event) => {
        // Otherwise a range of rows is a selection of text, too.
        if (event.shiftKey) event.preventDefault()
      }}
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return
        if (event.key === 'Enter') goTo(address)
        if (event.key !== ' ') return
        event.preventDefault()
        onChoose(event.shiftKey)
      }}
    >
      <td class="choose">
        <input
          type="checkbox"
          aria-label={say('Choose {name}', { name: title })}
          tabIndex={isCurrent ? 0 : -1}
          checked={isChosen}
          disabled={isStale}
          onClick={(event) => onChoose(event.shiftKey)}
        />
      </td>
      {columns.map((attribute) => {
        const { name, kind } = attribute
        const value = entry[name]
        if (name === titleColumn)
          return (
            <>
              <td class="cell title">
                <a href={`#${address}`} tabIndex={isCurrent ? 0 : -1}>
                  {title}
                </a>
              </td>
              {type.draftAndPublish && (
                <td class="state">
                  <State {...{ entry, isModified }} />
                </td>
              )}
            </>
          )
        const label = isEmpty(value) ? undefined : attribute.label
        return (
          <td
            class={kind === 'media' ? 'cell picture' : isNumeric(attribute) ? 'cell number' : 'cell'}
            data-label={label}
          >
            <CellContent {...{ attribute, value, model }} />
          </td>
        )
      })}
      {showsLocale && (
        <td class="state">
          <span class="quiet">{String(entry['locale'])}</span>
        </td>
      )}
      {!columns.some(({ name }) => name === 'updatedAt') && (
        <td class="when">
          <RecentMoment value={String(entry['updatedAt'] ?? '')} />
        </td>
      )}
    </tr>
  )
}

export function State({ entry, isModified }: { readonly entry: Entry; readonly isModified: boolean }) {
  if (entry['publishedAt'] === null) return <span class="pill draft">{say('Draft')}</span>
  return isModified ? (
    <span class="pill modified" title={say('The draft has changes that are not published yet')}>
      {say('Modified')}
    </span>
  ) : (
    <span class="pill published">{say('Published')}</span>
  )
}

/** Whether a click is for the row: not for a control in it, and not the end of a selection of text. */
function isFree({ target }: MouseEvent): boolean {
  const onControl = target instanceof Element && target.closest('a, button, input, label') !== null
  return !onControl && (getSelection()?.toString() ?? '') === ''
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}
