// The command line in this process: arguments in, exit code and what was printed out.

import { runCli } from '../../src/cli/main.ts'

export interface CommandOutcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function runCommand(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<CommandOutcome> {
  let out = ''
  let err = ''
  const code = await runCli(argv, {
    cwd: options.cwd,
    env: { NO_COLOR: '1', ...options.env },
    isTty: false,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    onSignal: () => () => {},
    onFault: () => () => {},
  })
  return { code, out, err }
}
