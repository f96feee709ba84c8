// Does the same to many entries, one after the other: the others go on when one fails, and it can be ended in between.

import type { Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { RequestError } from '../server.ts'
import { actOnEntry, type EntryAction } from './write.ts'

interface Failure {
  readonly entry: Entry
  readonly reason: string
}

export interface Progress {
  readonly action: EntryAction
  readonly done: number
  readonly of: number
}

export interface StepResult {
  readonly action: EntryAction
  readonly done: number
  readonly failed: readonly Failure[]
  /** Those that it did not come to, since it was ended. */
  readonly left: number
}

export async function runSteps(
  type: Type,
  model: Model,
  entries: readonly Entry[],
  action: EntryAction,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<StepResult> {
  const failed: Failure[] = []
  let passed = 0
  for (const entry of entries) {
    if (signal.aborted) break
    onProgress({ action, done: passed, of: entries.length })
    try {
      await actOnEntry(type, model, entry, action)
    } catch (error) {
      failed.push({ entry, reason: formatReason(error) })
    }
    passed += 1
  }
  return { action, done: passed - failed.length, failed, left: entries.length - passed }
}

function formatReason(error: unknown): string {
  const { message } = error as Error
  if (!(error instanceof RequestError)) return message
  if (error.status === 412) return say('somebody else saved it meanwhile')
  const faults = error.faults.map(({ path, message: fault }) =>
    path.length === 0 || fault.includes(String(path[0])) ? fault : `${path.join('.')}: ${fault}`,
  )
  return faults.length === 0 ? message : faults.join('; ')
}
