// `cms-run webhooks list [file]`: what webhooks have not delivered yet; `cms-run webhooks retry [file]`: tries again
// what was given up.

import { printable } from '../../lib/printable.ts'
import { type ListedDelivery, listDeliveries, retryDeliveries } from '../../storage/stored-deliveries.ts'
import type { Invocation } from '../invocation.ts'
import { withStoredDatabase } from './with-stored-database.ts'

export const listWebhooks = (invocation: Invocation): Promise<number> =>
  withStoredDatabase(invocation, 'deliveries', async (database) => {
    const deliveries = await listDeliveries(database)
    invocation.reporter.result({ deliveries }, buildTable(deliveries))
    return undefined
  })

export const retryWebhooks = (invocation: Invocation): Promise<number> =>
  withStoredDatabase(invocation, 'deliveries', async (database) => {
    const retried = await retryDeliveries(database, undefined, Date.now())
    invocation.reporter.result(
      { retried },
      `${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} tried again\n`,
    )
    return undefined
  })

function buildTable(deliveries: readonly ListedDelivery[]): string {
  if (deliveries.length === 0) return 'everything is delivered\n'
  return deliveries
    .map(({ id, webhook, event, subject, attempts, nextTry, reason }) => {
      const state = nextTry === null ? 'given up' : attempts === 0 ? 'waiting' : `tried again at ${nextTry}`
      const why = reason === null ? '' : `: ${printable(reason)}`
      return `${id}  ${printable(webhook)}  ${event}  ${printable(subject)}  ${state} after ${attempts} tries${why}\n`
    })
    .join('')
}
