// The command line in this process: arguments in, exit code and what was printed out.

import { expect, vi } from 'vitest'
import { runCli } from '../../src/cli/main.ts'

export interface CommandOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

interface CommandPlace {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** What is written to standard input. */
  readonly input?: string
  /** What is typed at a terminal that asks for a secret. */
  readonly secrets?: readonly string[]
}

/** A command that ends when it is told to. */
export interface StartedCommand {
  /** What it has printed until now. */
  readonly printed: Readonly<Record<'out' | 'err', string>>
  /** Resolves when it goes on until a signal ends it. */
  ready(): Promise<void>
  /** Ends it as a signal does. */
  stop(): Promise<CommandOutcome>
}

interface Running {
  readonly printed: Record<'out' | 'err', string>
  readonly ended: Promise<number>
  /** Undefined until the command listens for signals. */
  signal(): (() => void) | undefined
}

function start(argv: readonly string[], { cwd, env, input = '', secrets }: CommandPlace): Running {
  const typed = [...(secrets ?? [])]
  const printed = { out: '', err: '' }
  let signal: (() => void) | undefined
  const ended = runCli(argv, {
    cwd,
    env: { NO_COLOR: '1', ...env },
    isTty: false,
    askSecret: secrets && (async () => typed.shift() ?? ''),
    readInput: async () => input,
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
    onSignal(_name, act) {
      signal = act
      return () => {}
    },
    onFault: () => () => {},
  })
  return { printed, ended, signal: () => signal }
}

export async function runCommand(argv: readonly string[], place: CommandPlace): Promise<CommandOutcome> {
  const { ended, printed } = start(argv, place)
  return { code: await ended, ...printed }
}

export function startCommand(argv: readonly string[], place: CommandPlace): StartedCommand {
  const { ended, printed, signal } = start(argv, place)
  return {
    printed,
    ready: () => vi.waitFor(() => expect(signal()).toBeDefined(), { timeout: 60_000 }),
    async stop() {
      signal()?.()
      return { code: await ended, ...printed }
    },
  }
}
