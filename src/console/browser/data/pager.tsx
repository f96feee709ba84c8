// How many entries a view has, and the way to its other pages.

import { ChevronLeft, ChevronRight } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { say, sayCount } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { formatNumber } from './cells.tsx'
import type { EntryPage, View } from './load.ts'
import { PAGE_SIZES } from './view-address.ts'

interface PagerProps {
  readonly page: EntryPage
  readonly view: View
  onChange(part: Partial<View>): void
}

export function Pager({ page: { total, pageCount }, view, onChange }: PagerProps) {
  return (
    <div class="pager">
      <span role="status">{sayCount(total, '{count} entry', '{count} entries')}</span>
      {total > PAGE_SIZES[0] && (
        <label>
          {say('Per page')}{' '}
          <select
            value={view.pageSize}
            onChange={(event) => onChange({ pageSize: Number(event.currentTarget.value), page: 1 })}
          >
            {PAGE_SIZES.map((size) => (
              <option>{size}</option>
            ))}
          </select>
        </label>
      )}
      {pageCount > 1 && (
        <nav class="pages" aria-label={say('Pages of the list')}>
          <button
            type="button"
            aria-label={say('Previous page')}
            disabled={view.page <= 1}
            onClick={() => onChange({ page: view.page - 1 })}
          >
            <Icon of={ChevronLeft} />
          </button>
          <PageInput number={view.page} pageCount={pageCount} onChange={(page) => onChange({ page })} />
          <button
            type="button"
            aria-label={say('Next page')}
            disabled={view.page >= pageCount}
            onClick={() => onChange({ page: view.page + 1 })}
          >
            <Icon of={ChevronRight} />
          </button>
        </nav>
      )}
    </div>
  )
}

interface PageInputProps {
  readonly number: number
  readonly pageCount: number
  onChange(page: number): void
}

function PageInput({ number, pageCount, onChange }: PageInputProps) {
  const [text, setText] = useState(String(number))
  useEffect(() => setText(String(number)), [number])
  const go = (): void => {
    const page = Math.max(1, Math.min(pageCount, Math.trunc(Number(text)) || number))
    setText(String(page))
    if (page !== number) onChange(page)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <label>
        {say('Page')}{' '}
        <input
          inputMode="numeric"
          size={String(pageCount).length + 1}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onBlur={go}
        />
      </label>{' '}
      {say('of {count}', { count: formatNumber(pageCount) })}
    </form>
  )
}
