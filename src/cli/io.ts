// What the command line touches of the world, handed in, so that tests call it in their own process.

import type { FaultOrigin } from '../user-code/process-faults.ts'
import { wantsColors } from './colors.ts'

export interface Io {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether `out` and `err` are a terminal. */
  readonly isTty: boolean
  out(text: string): void
  err(text: string): void
  /** Acts at a signal until the returned function is called. */
  onSignal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP', act: () => void): () => void
  /** Takes the faults that reach the top of the process, instead of its end, until the returned function is called. */
  onFault(take: (fault: unknown, origin: FaultOrigin) => void): () => void
}

export function colorsOf(io: Pick<Io, 'env' | 'isTty'>): boolean {
  return wantsColors(io.env, io.isTty)
}
