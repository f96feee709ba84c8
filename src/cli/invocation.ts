// The parameters and the result of every command.

import type { CheckOptions } from '../app/check-config.ts'
import type { Command } from './command.ts'
import type { Io } from './io.ts'
import type { Reporter } from './reporter.ts'

export interface Invocation {
  readonly command: Command
  /** As given: reports show the path that the user typed. */
  readonly file: string
  readonly check: CheckOptions
  readonly reporter: Reporter
  readonly io: Io
}

export type RunCommand = (invocation: Invocation) => number | Promise<number>
