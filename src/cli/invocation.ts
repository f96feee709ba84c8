// The parameters and the result of every command.

import type { CheckOptions } from '../app/check-config.ts'
import type { Io } from './io.ts'
import type { Command } from './parse-arguments.ts'
import type { Reporter } from './reporter.ts'

export interface Invocation {
  readonly command: Command
  /** The YAML file, as given, so that reports show the path that the user knows. */
  readonly file: string
  readonly check: CheckOptions
  readonly reporter: Reporter
  readonly io: Io
}

/** Runs the command, and returns the exit code. */
export type RunCommand = (invocation: Invocation) => number | Promise<number>
