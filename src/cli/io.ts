// The command line's access to the outside, passed as a parameter so that tests can run it within their process.

import type { FaultOrigin } from '../user-code/process-faults.ts'

export interface Io {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether `out` and `err` are a terminal. */
  readonly isTty: boolean
  /** Asks on the terminal, and resolves with what was typed; undefined when nobody can answer. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** The file descriptor that `out` writes to; undefined where it writes to none. */
  readonly fd?: number
  out(text: string): void
  err(text: string): void
  /** Calls `act` on each signal, until the returned function is called. */
  onSignal(name: 'SIGTERM' | 'SIGINT' | 'SIGHUP', act: () => void): () => void
  /** Calls `act` when the process exits, whoever ends it; undefined where it goes on after the command. */
  onExit?(act: () => void): void
  /** Calls `take` with uncaught errors instead of ending the process, until the returned function is called. */
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
