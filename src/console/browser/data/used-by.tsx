// The entries that link to an entry, with ways to them.

import type { Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { formatTitle } from './format-value.ts'
import { getPage } from './load.ts'
import { PanelSection } from './panel-section.tsx'
import { getType, toEntry, toList } from './values.ts'

interface UsedByProps {
  readonly type: Type
  readonly model: Model
  readonly entry: Entry
}

const MAX_SHOWN = 8

export function UsedBy({ type, model, entry }: UsedByProps) {
  const lists = type.attributes.flatMap(({ name, kind, owner, inverse, target }) => {
    const other = getType(model, target)
    if (kind !== 'relation' || inverse === undefined || owner === true || other?.own !== true) return []
    const entries = toList(entry[name]).flatMap((item) => toEntry(item) ?? [])
    return entries.length === 0 ? [] : [{ other, entries }]
  })
  if (lists.length === 0) return null
  return (
    <PanelSection title={say('Used by')}>
      <ul class="uses">
        {lists.map(({ other, entries }) => (
          <>
            {entries.slice(0, MAX_SHOWN).map((one) => (
              <li>
                <span class="kind">{other.displayName}</span>{' '}
                <a href={`#${getPage(other, one)}`}>{formatTitle(other, one)}</a>
              </li>
            ))}
            {entries.length > MAX_SHOWN && (
              <li class="quiet">{say('and {count} more', { count: entries.length - MAX_SHOWN })}</li>
            )}
          </>
        ))}
      </ul>
    </PanelSection>
  )
}
