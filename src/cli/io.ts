// Gives the command line access to the outside; tests pass their own.

import type { FaultOrigin } from '../user-code/process-faults.ts'

export interface Io {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly isTty: boolean
  /** Undefined when the terminal is not interactive. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Shows nothing of the answer. Undefined when standard input is not a terminal. */
  readonly askSecret?: ((question: string) => Promise<string>) | undefined
  /** Reads standard input to its end. */
  readonly readInput?: (() => Promise<string>) | undefined
  readonly fd?: number
  out(text: string): void
  err(text: string): void
  onSignal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP', act: () => void): () => void
  /** Calls `take` instead of ending the process, until the returned function is called. */
  onFault(take: (fault: unknown, origin: FaultOrigin) => void): () => void
}

export function hasColors(io: Pick<Io, 'env' | 'isTty'>): boolean {
  return wantsColors(io.env, io.isTty)
}

/** NO_COLOR and FORCE_COLOR decide (no-color.org); without them, whether the output is a terminal. */
export function wantsColors(env: Readonly<Record<string, string | undefined>>, isTty: boolean): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTty && env['TERM'] !== 'dumb'
}
