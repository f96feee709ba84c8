// Takes arguments, runs the command, returns the exit code.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CheckOptions } from '../app/check-config.ts'
import type { Command, Flags } from './command.ts'
import { commands } from './commands.ts'
import type { Io } from './io.ts'
import { parseArguments } from './parse-arguments.ts'
import { createReporter, exitCodes, type Reporter } from './reporter.ts'

export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(argv)
  const command = 'fault' in parsed ? undefined : parsed.command
  const format = command?.flags.format ?? (argv.includes('--json') ? 'json' : 'text')
  const reporter = createReporter(format, io, command?.name === 'run')
  const exitCode =
    'fault' in parsed
      ? reporter.fail(parsed.fault, exitCodes.usage)
      : await runCommand(parsed.command, reporter, io)
  reporter.end(exitCode)
  return exitCode
}

async function runCommand(command: Command, reporter: Reporter, io: Io): Promise<number> {
  try {
    const run = await commands[command.name]()
    return await run({
      command,
      file: getFile(command, io),
      check: checkOptions(command.flags, io),
      reporter,
      io,
    })
  } catch (fault) {
    io.err(`${fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)}\n`)
    return reporter.fail(
      `an internal error, which is a mistake in cms-run: ${fault instanceof Error ? fault.message : String(fault)}`,
      exitCodes.failed,
      'CLI003',
    )
  }
}

function getFile(command: Command, io: Io): string {
  if (command.file !== undefined) return command.file
  const there = (name: string): boolean => existsSync(resolve(io.cwd, name))
  return !there('cms.yaml') && there('cms.yml') ? 'cms.yml' : 'cms.yaml'
}

function checkOptions({ port, host, env, workers }: Flags, io: Io): CheckOptions {
  const overrides = {
    ...(port === undefined ? {} : { port }),
    ...(host === undefined ? {} : { host }),
    ...(env === undefined ? {} : { environment: env }),
    ...(workers === undefined ? {} : { workers }),
  }
  return { env: io.env, overrides }
}
