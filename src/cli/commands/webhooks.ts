// `cms-run webhooks list [file]`: what webhooks have not delivered yet; `cms-run webhooks retry [file]`: tries again
// what was given up.

import { checkConfig } from '../../app/check-config.ts'
import type { Config } from '../../config/config.ts'
import { type Database, OpenFailure } from '../../databases/database.ts'
import { missingFile } from '../../databases/inspect-database.ts'
import { openDatabase } from '../../databases/open-database.ts'
import { type ListedDelivery, listDeliveries, retryDeliveries } from '../../databases/stored-deliveries.ts'
import { printable } from '../../util/printable.ts'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export const listWebhooks = (invocation: Invocation): Promise<number> =>
  withDatabase(invocation, async (database) => {
    const deliveries = await listDeliveries(database)
    invocation.reporter.result({ deliveries }, tableOf(deliveries))
  })

export const retryWebhooks = (invocation: Invocation): Promise<number> =>
  withDatabase(invocation, async (database) => {
    const retried = await retryDeliveries(database, undefined, Date.now())
    invocation.reporter.result(
      { retried },
      `${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} tried again\n`,
    )
  })

async function withDatabase(
  { file, check, reporter }: Invocation,
  task: (database: Database) => Promise<void>,
): Promise<number> {
  const checked = await checkConfig({ file }, check)
  reporter.report(checked.source, checked.diagnostics)
  const { config } = checked
  if (config === undefined) return exitCodes.failed
  const fault = unreadable(config)
  if (fault !== undefined) return reporter.fail(fault)
  try {
    const database = await openDatabase(config.database, config.directory, { alongside: true })
    try {
      await task(database)
      return exitCodes.ok
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof OpenFailure)) throw error
    reporter.report(checked.source, error.diagnostics)
    return exitCodes.failed
  }
}

function unreadable(config: Config): string | undefined {
  if (config.database.client === 'memory')
    return 'the database is in memory: only the serving process knows its deliveries'
  return missingFile(config) === undefined ? undefined : 'the database file does not exist yet'
}

function tableOf(deliveries: readonly ListedDelivery[]): string {
  if (deliveries.length === 0) return 'everything is delivered\n'
  return deliveries
    .map(({ id, webhook, event, subject, attempts, nextTry, reason }) => {
      const state = nextTry === null ? 'given up' : attempts === 0 ? 'waiting' : `tried again at ${nextTry}`
      const why = reason === null ? '' : `: ${printable(reason)}`
      return `${id}  ${printable(webhook)}  ${event}  ${printable(subject)}  ${state} after ${attempts} tries${why}\n`
    })
    .join('')
}
