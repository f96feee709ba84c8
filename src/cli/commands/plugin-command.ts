// Runs commands of plugins for their stored data.

import { invariant } from '../../lib/errors/invariant.ts'
import { pluginCommands } from '../../plugins/plugin-host.ts'
import type { RunCommand } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'
import { withStoredDatabase } from './with-stored-database.ts'

export function getPluginCommand(name: string): RunCommand {
  const command = pluginCommands.get(name)
  invariant(command !== undefined, `a plugin has the command "${name}"`)
  return (invocation) =>
    withStoredDatabase(invocation, command.stored, async (database, model) => {
      const { reporter } = invocation
      const { user } = invocation.command.flags
      const result = await command.run({ database, model, user })
      if ('fault' in result) return reporter.fail(result.fault)
      reporter.result(result.document, result.text)
      return exitCodes.ok
    })
}
