// A card with entries of several content-types, each with its type, its state and a moment.

import { RecentMoment } from '../data/cells.tsx'
import { State } from '../data/rows.tsx'
import type { OverviewItem } from './overview.ts'

interface ListProps {
  readonly title: string
  /** Undefined while they are read. */
  readonly items: readonly OverviewItem[] | undefined
  readonly fault: string | undefined
  readonly empty: string
}

export function OverviewList({ title, items, fault, empty }: ListProps) {
  return (
    <section class="card overview" aria-label={title}>
      <h2>{title}</h2>
      {fault !== undefined && (
        <p class="error" role="alert">
          {fault}
        </p>
      )}
      {items === undefined && [1, 2, 3].map((key) => <span class="bone line-bone" key={key} />)}
      {items?.length === 0 && fault === undefined && <p class="quiet">{empty}</p>}
      {items !== undefined && items.length > 0 && (
        <ul>
          {items.map(({ type, entry, title: words, address, at, due }) => (
            <li>
              <a href={`#${address}`}>{words}</a>
              <span class="facts">
                <span>{type.displayName}</span>
                {type.locales !== undefined && entry['locale'] !== type.defaultLocale && (
                  <span>{String(entry['locale'])}</span>
                )}
                {due === undefined ? (
                  type.draftAndPublish && <State entry={entry} isModified={false} />
                ) : (
                  <span>{due}</span>
                )}
                <RecentMoment value={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
