// Deletes an entry some seconds after it was asked for, so that it can be undone.

import { useEffect, useState } from 'preact/hooks'
import type { Entry, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { showToast } from '../parts/toast.tsx'
import { RequestError } from '../server.ts'
import { getKey } from './load.ts'
import { removeEntry } from './write.ts'

interface Removals {
  /** The entries that are to be deleted, as `uid key locale`. */
  readonly pending: ReadonlySet<string>
  /** How many were deleted: lists read again when it changes. */
  readonly done: number
}

interface RemovalOptions {
  readonly type: Type
  readonly entry: Entry
  readonly tag: string | undefined
  readonly title: string
  onUndo(): void
  onRemoved?(): void
}

let removals: Removals = { pending: new Set(), done: 0 }
const listeners = new Set<() => void>()

function change(next: Removals): void {
  removals = next
  for (const listener of listeners) listener()
}

/** The deletions that wait for the end of their time: each is sent at once by a call. */
const waiting = new Map<string, () => void>()
const sent = new Set<Promise<void>>()

/** Sends the deletions that wait, and resolves when the server has answered all: before a session ends. */
export async function sendRemovals(): Promise<void> {
  for (const send of [...waiting.values()]) send()
  await Promise.all(sent)
}

function nameEntry(type: Type, entry: Entry): string {
  return `${type.uid} ${getKey(entry)} ${entry['locale'] ?? ''}`
}

export function removeLater({ type, entry, tag, title, onUndo, onRemoved }: RemovalOptions): void {
  const name = nameEntry(type, entry)
  const settle = (done: number): void =>
    change({
      pending: new Set([...removals.pending].filter((one) => one !== name)),
      done: removals.done + done,
    })
  change({ ...removals, pending: new Set([...removals.pending, name]) })
  const tryRemoving = async (leaving: boolean): Promise<void> => {
    try {
      await removeEntry(type, entry, tag, leaving)
      onRemoved?.()
      settle(1)
    } catch (error) {
      settle(0)
      showToast({
        text: say('“{title}” was not deleted: {reason}', { title, reason: explainRefusal(error) }),
        wrong: true,
      })
    }
  }
  const remove = (leaving: boolean): void => {
    waiting.delete(name)
    const task = tryRemoving(leaving).finally(() => sent.delete(task))
    sent.add(task)
  }
  const dismiss = showToast({
    text: say('Deleted “{title}”.', { title }),
    action: {
      label: say('Undo'),
      run() {
        waiting.delete(name)
        settle(0)
        onUndo()
      },
    },
    onExpire: remove,
  })
  waiting.set(name, () => {
    dismiss()
    remove(false)
  })
}

function explainRefusal(error: unknown): string {
  if (!(error instanceof RequestError)) return say('the server does not answer.')
  return error.status === 412 ? say('somebody else saved it meanwhile.') : error.message
}

/** For lists: entries that are about to be deleted are not shown. */
export function useRemovals(type: Type): { isRemoved(entry: Entry): boolean; readonly done: number } {
  const [known, setKnown] = useState(removals)
  useEffect(() => {
    const listener = (): void => setKnown(removals)
    listeners.add(listener)
    listener()
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return { isRemoved: (entry) => known.pending.has(nameEntry(type, entry)), done: known.done }
}
