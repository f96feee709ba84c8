// Lists the changes that a start or reload would make to the database.

import { checkConfig } from '../../app/check-config.ts'
import { databaseClients } from '../../config/database-clients.ts'
import { createMask, hideSecrets } from '../../config/hide-secrets.ts'
import { type DatabasePlan, type PlannedChange, planDatabase } from '../../storage/migration/plan-database.ts'
import type { Invocation } from '../invocation.ts'
import { hasColors } from '../io.ts'
import { exitCodes } from '../reporter.ts'

const getCode = {
  none: exitCodes.ok,
  changes: exitCodes.changes,
  destructive: exitCodes.destructive,
  refused: exitCodes.failed,
} as const satisfies Record<DatabasePlan['outcome'], number>

/** Warnings about renames, made or possibly meant, which the plan does not show. */
const unprinted: ReadonlySet<string> = new Set(['DBS014', 'DBS016'])

export async function plan({ file, check, command, reporter, io }: Invocation): Promise<number> {
  const { flags } = command
  const checked = await checkConfig({ file }, check)
  const { config, model } = checked
  if (config === undefined || model === undefined) {
    reporter.report(checked.source, checked.diagnostics)
    return exitCodes.failed
  }
  const planned = withoutSecrets(await planDatabase(config, model), checked.secrets.texts)
  const { diagnostics: found, ...rest } = planned
  reporter.result(rest, () => formatText(planned, hasColors(io)))
  const told =
    flags.format === 'json'
      ? found
      : found.filter(({ code, severity }) => severity === 'error' || unprinted.has(code))
  reporter.report(checked.source, [...checked.diagnostics, ...told])
  if (planned.outcome === 'refused') return exitCodes.failed
  return flags.exitCode ? getCode[planned.outcome] : exitCodes.ok
}

function withoutSecrets(planned: DatabasePlan, secrets: ReadonlySet<string>): DatabasePlan {
  const mask = createMask(secrets)
  return {
    ...planned,
    changes: planned.changes.map((change) => ({
      ...change,
      table: mask(change.table),
      ...(change.column !== undefined && { column: mask(change.column) }),
      text: mask(change.text),
    })),
    foreignTables: planned.foreignTables.map(mask),
    diagnostics: hideSecrets(planned.diagnostics, secrets),
  }
}

function formatText({ client, outcome, changes, foreignTables }: DatabasePlan, colors: boolean): string {
  const lines = changes.map((change) => formatLine(change, colors))
  if (foreignTables.length > 0 && outcome !== 'refused') {
    lines.push(`  not made by cms-run, left unchanged: ${foreignTables.join(', ')}`)
  }
  const counts = (['+', '~', '-'] as const)
    .map((mark) => `${changes.filter((change) => change.mark === mark).length} ${words[mark]}`)
    .join(', ')
  const summary = {
    none: 'nothing would change',
    changes: `${counts}; no stored value is lost`,
    destructive: `${counts}; ${changes.filter(({ destructive }) => destructive).length} marked ! drop stored values`,
    refused: 'a start or reload would be refused, and the database left as it is',
  }[outcome]
  const memory = !databaseClients[client].keepsContent ? ' (in memory: every start begins empty)' : ''
  return `${[...lines, `${client}${memory}: ${summary}`].join('\n')}\n`
}

const words = { '+': 'to add', '~': 'to change', '-': 'to take away' } as const
const paints = { '+': '32', '~': '33', '-': '31' } as const

function formatLine({ mark, text, destructive }: PlannedChange, colors: boolean): string {
  const line = `${destructive ? '!' : ' '} ${mark} ${text}`
  return colors ? `\x1b[${paints[mark]}m${line}\x1b[0m` : line
}
