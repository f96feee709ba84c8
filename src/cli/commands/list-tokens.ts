// Lists the API tokens of the file and when each was last used.

import { checkConfig } from '../../app/check-config.ts'
import { type ListedToken, listTokens } from '../../describe/list-tokens.ts'
import { toPrintable } from '../../lib/printable.ts'
import { OpenFailure } from '../../storage/database.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export async function printTokens({ file, check, reporter }: Invocation): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  const { config } = checked
  if (config === undefined) return exitCodes.failed
  try {
    const tokens = await listTokens(config, Date.now())
    reporter.result({ tokens }, buildTable(tokens))
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error
    reporter.report(checked.source, error.diagnostics)
    return exitCodes.failed
  }
}

function buildTable(tokens: readonly ListedToken[]): string {
  if (tokens.length === 0) return 'the file declares no API tokens\n'
  const rows = [['name', 'type', 'expires', 'last used'], ...tokens.map(getRow)]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return `${lines.join('\n')}\n`
}

function getRow({ name, type, expiresAt, expired, lastUsedAt }: ListedToken): string[] {
  const expires = expiresAt === null ? 'never' : expired ? `${expiresAt} (expired)` : expiresAt
  const used = lastUsedAt === undefined ? 'unknown (database in memory)' : (lastUsedAt ?? 'never')
  return [toPrintable(name), type, expires, used]
}
