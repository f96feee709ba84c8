// The question before something is done to many entries: to which, and to how many of the selection.

import type { Entry, Type } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type AskedAction, sayConfirmation, sayQuestion, sayRefusals } from './bulk-words.ts'
import { getTitle } from './columns.ts'

interface QuestionProps {
  readonly type: Type
  readonly action: AskedAction
  /** The entries to which it is done. */
  readonly entries: readonly Entry[]
  /** How many entries are selected. */
  readonly selected: number
  /** Whether it is done to all entries of the view, `selected` of them. */
  readonly isWhole: boolean
  onConfirm(): void
  onClose(): void
}

export function BulkQuestion({ type, action, entries, selected, isWhole, ...on }: QuestionProps) {
  const count = isWhole ? selected : entries.length
  const isDeletion = action === 'delete'
  return (
    <Dialog title={sayQuestion(action, count)} onClose={on.onClose}>
      <p>
        {isWhole
          ? say('Every entry of this view is deleted from {name}, not only those on this page.', {
              name: type.displayName,
            })
          : listTitles(type, entries)}
      </p>
      {count < selected && <p>{sayRefusals(action, count, selected)}</p>}
      {isDeletion && <p class="quiet">{say('This cannot be undone.')}</p>}
      <div class="buttons end">
        <button type="button" onClick={on.onClose}>
          {!isDeletion ? say('Cancel') : count === 1 ? say('Keep it') : say('Keep them')}
        </button>
        <button type="button" class={isDeletion ? 'danger filled' : 'main'} onClick={on.onConfirm}>
          {sayConfirmation(action, count)}
        </button>
      </div>
    </Dialog>
  )
}

const MAX_TITLES = 5

function listTitles(type: Type, entries: readonly Entry[]): string {
  const shown = entries.slice(0, MAX_TITLES).map((entry) => getTitle(type, entry))
  const titles = shown.join(', ')
  const more = entries.length - shown.length
  return more === 0
    ? titles
    : sayCount(more, '{titles} and {count} more', '{titles} and {count} more', { titles })
}
