// `cms-run …`: arguments in, an exit code out. Commands are loaded when they are asked for.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CheckOptions } from '../app/check-config.ts'
import { exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { type Command, type Flags, parseArguments } from './parse-arguments.ts'
import { version } from './version.ts'

export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  const parsed = parseArguments(argv)
  if ('fault' in parsed) {
    io.err(`cms-run: ${parsed.fault}\n`)
    return exitCodes.usage
  }
  const { command } = parsed
  switch (command.name) {
    case 'help':
      io.out((await import('./help.ts')).helpText)
      return exitCodes.ok
    case 'version':
      io.out(`${version()}\n`)
      return exitCodes.ok
    case 'validate':
      return (await import('./validate.ts')).validate(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
    case 'print-config':
      return (await import('./validate.ts')).printConfigFile(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
    case 'schema':
      return (await import('./schema.ts')).printSchemaDefinition(
        fileOf(command, io),
        checkOptions(command.flags, io),
        io,
      )
    case 'permissions':
      return (await import('./permissions.ts')).printPermissions(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
    case 'plan':
      return (await import('./plan.ts')).plan(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
    case 'types':
      return (await import('./types.ts')).printTypes(fileOf(command, io), checkOptions(command.flags, io), io)
    case 'openapi':
      return (await import('./openapi.ts')).printOpenapi(
        fileOf(command, io),
        checkOptions(command.flags, io),
        io,
      )
    case 'init':
      return (await import('./init.ts')).init(command, io)
    case 'export':
      return (await import('./export.ts')).exportTo(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
    case 'backup':
      return (await import('./backup.ts')).backup(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
        Date.now(),
      )
    case 'import':
      return (await import('./import.ts')).importFrom(
        command,
        fileOf(command, io),
        checkOptions(command.flags, io),
        io,
      )
    case 'token':
      return (await import('./create-token.ts')).createToken(command, io, Date.now())
    case 'token list':
      return (await import('./list-tokens.ts')).printTokens(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
    case 'run':
      return (await import('./run.ts')).run(
        fileOf(command, io),
        checkOptions(command.flags, io),
        command.flags,
        io,
      )
  }
}

/** As given, so that reports show the path that the user knows. */
function fileOf(command: Command, io: Io): string {
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
