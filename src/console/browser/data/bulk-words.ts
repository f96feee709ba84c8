// Texts about an action on many entries: its progress, its result and its failures.

import { say, sayCount } from '../messages.ts'
import type { EntryAction } from './write.ts'

export type BulkAction = EntryAction | 'change'

export function sayProgress(action: EntryAction, done: string, total: string): string {
  switch (action) {
    case 'publish':
      return say('Publishing {done} of {total}', { done, total })
    case 'unpublish':
      return say('Unpublishing {done} of {total}', { done, total })
    case 'duplicate':
      return say('Duplicating {done} of {total}', { done, total })
    case 'delete':
      return say('Deleting {done} of {total}', { done, total })
  }
}

export function sayDone(action: BulkAction, count: number): string {
  switch (action) {
    case 'publish':
      return sayCount(count, '{count} entry published.', '{count} entries published.')
    case 'unpublish':
      return sayCount(count, '{count} entry unpublished.', '{count} entries unpublished.')
    case 'duplicate':
      return sayCount(count, '{count} entry duplicated.', '{count} entries duplicated.')
    case 'delete':
      return sayCount(count, '{count} entry deleted.', '{count} entries deleted.')
    case 'change':
      return sayCount(count, '{count} entry changed.', '{count} entries changed.')
  }
}

/** The entries follow. */
export function sayFailed(action: BulkAction, count: number): string {
  switch (action) {
    case 'publish':
      return sayCount(count, '{count} could not be published:', '{count} could not be published:')
    case 'unpublish':
      return sayCount(count, '{count} could not be unpublished:', '{count} could not be unpublished:')
    case 'duplicate':
      return sayCount(count, '{count} could not be duplicated:', '{count} could not be duplicated:')
    case 'delete':
      return sayCount(count, '{count} could not be deleted:', '{count} could not be deleted:')
    case 'change':
      return sayCount(count, '{count} could not be changed:', '{count} could not be changed:')
  }
}

/** Actions that begin with a question. */
export type AskedAction = Exclude<EntryAction, 'duplicate'>

export function sayQuestion(action: AskedAction, count: number): string {
  switch (action) {
    case 'publish':
      return sayCount(count, 'Publish {count} entry?', 'Publish {count} entries?')
    case 'unpublish':
      return sayCount(count, 'Unpublish {count} entry?', 'Unpublish {count} entries?')
    case 'delete':
      return sayCount(count, 'Delete {count} entry?', 'Delete {count} entries?')
  }
}

export function sayConfirmation(action: AskedAction, count: number): string {
  switch (action) {
    case 'publish':
      return sayCount(count, 'Publish {count} entry', 'Publish {count} entries')
    case 'unpublish':
      return sayCount(count, 'Unpublish {count} entry', 'Unpublish {count} entries')
    case 'delete':
      return sayCount(count, 'Delete {count} entry', 'Delete {count} entries')
  }
}

/** `count`: to how many of the selection it is done. */
export function sayRefusals(action: BulkAction, count: number, total: number): string {
  const values = { count, total, refused: total - count }
  return action === 'delete'
    ? say('{count} of {total} selected entries; {refused} may not be deleted by you.', values)
    : say('{count} of {total} selected entries; {refused} may not be changed by you.', values)
}

/** Others changed the content since the number was shown. */
export function sayOtherCount(count: number): string {
  return sayCount(
    count,
    'Meanwhile the view has {count} entry. Nothing was changed.',
    'Meanwhile the view has {count} entries. Nothing was changed.',
  )
}
