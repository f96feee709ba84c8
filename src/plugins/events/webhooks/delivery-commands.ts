// `cms-run webhooks list [file]` shows due and failed deliveries; `cms-run webhooks retry [file]` retries the
// failed ones.

import { toPrintable } from '../../../lib/printable.ts'
import type { PluginCommand } from '../../plugin.ts'
import { type ListedDelivery, listDeliveries, retryDeliveries } from './stored-deliveries.ts'

const stored = 'deliveries'

export const deliveryCommands: Readonly<Record<string, PluginCommand>> = {
  webhooks: {
    stored,
    async run({ database }) {
      const deliveries = await listDeliveries(database)
      return { document: { deliveries }, text: formatDeliveries(deliveries) }
    },
  },
  'webhooks retry': {
    stored,
    async run({ database }) {
      const retried = await retryDeliveries(database, undefined, Date.now())
      const text = `${retried} ${retried === 1 ? 'delivery is' : 'deliveries are'} tried again\n`
      return { document: { retried }, text }
    },
  },
}

function formatDeliveries(deliveries: readonly ListedDelivery[]): string {
  if (deliveries.length === 0) return 'everything is delivered\n'
  return deliveries
    .map(({ id, webhook, event, subject, attempts, nextTry, reason }) => {
      const state = nextTry === null ? 'given up' : attempts === 0 ? 'waiting' : `tried again at ${nextTry}`
      const why = reason === null ? '' : `: ${toPrintable(reason)}`
      return `${id}  ${toPrintable(webhook)}  ${event}  ${toPrintable(subject)}  ${state} after ${attempts} tries${why}\n`
    })
    .join('')
}
