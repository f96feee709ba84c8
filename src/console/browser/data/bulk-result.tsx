// What came of a change of many entries: how many are done, and why others are not.

import { X } from 'lucide'
import type { Type } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { type BulkAction, sayDone, sayFailed } from './bulk-words.ts'
import { getTitle } from './columns.ts'
import { getPage } from './load.ts'
import type { StepResult } from './steps.ts'

export type BulkResult = Omit<StepResult, 'action'> & {
  readonly action: BulkAction
  readonly problem?: string
}

interface ResultProps {
  readonly type: Type
  readonly result: BulkResult
  onClose(): void
}

export function ResultNotice({ type, result, onClose }: ResultProps) {
  const { action, done, failed, left, problem } = result
  const isWrong = failed.length > 0 || problem !== undefined
  return (
    <div class={`notice bulk-result ${isWrong ? 'wrong' : 'right'}`}>
      <div role={isWrong ? 'alert' : 'status'}>
        {problem ?? sayDone(action, done)}
        {left > 0 && ` ${sayCount(left, '{count} left as it was.', '{count} left as they were.')}`}
        {failed.length > 0 && ` ${sayFailed(action, failed.length)}`}
      </div>
      {failed.length > 0 && (
        <ul>
          {failed.map(({ entry, reason }) => (
            <li>
              <a href={`#${getPage(type, entry)}`}>{getTitle(type, entry)}</a>: {reason}
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="clear" aria-label={say('Close the result')} onClick={onClose}>
        <Icon of={X} />
      </button>
    </div>
  )
}
