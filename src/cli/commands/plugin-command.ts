// Runs commands of plugins for the data that they store.

import { invariant } from '../../lib/errors/invariant.ts'
import type { CommandResult } from '../../plugins/plugin.ts'
import { pluginCommands } from '../../plugins/plugin-host.ts'
import type { RunCommand } from '../invocation.ts'
import { readPassword } from '../read-password.ts'
import { exitCodes } from '../reporter.ts'
import { withContent } from './with-content.ts'
import { withStoredDatabase } from './with-stored-database.ts'

export function getPluginCommand(name: string): RunCommand {
  const command = pluginCommands.get(name)
  invariant(command !== undefined, `a plugin has the command "${name}"`)
  return (invocation) => {
    const { reporter, io } = invocation
    const { flags } = invocation.command
    const finish = (result: CommandResult): number => {
      if ('fault' in result) return reporter.fail(result.fault)
      reporter.result(result.document, result.text)
      return exitCodes.ok
    }
    if ('run' in command)
      return withStoredDatabase(invocation, command.stored, async (database, model) =>
        finish(await command.run({ database, model, flags })),
      )
    return withContent(invocation, command.stored, async (content, model) =>
      finish(
        await command.change({ content, model, flags, readPassword: () => readPassword(io, flags.generate) }),
      ),
    )
  }
}
