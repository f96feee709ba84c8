// Delivers webhooks at least once, in order per entry. One process, which holds a lease, stores due
// deliveries with its position in the feed.

import { clearInterval, setInterval } from 'node:timers'
import { sendRequest } from '../../../http/send-request.ts'
import type { Content } from '../../../write/content.ts'
import type { Feed, FeedEvent } from '../../feed.ts'
import { createLease } from '../../leases.ts'
import { getEventName, readPayload } from './payload.ts'
import { loadSigner } from './sign.ts'
import { createDeliveries, type DueDelivery, type NewDelivery } from './stored-deliveries.ts'
import { isWanted, type Webhook } from './webhook.ts'

const TICK_MS = 500
/** Milliseconds until the second try; doubled for each further one. */
const MIN_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 3_600_000
const MAX_CONCURRENT = 20

interface DelivererOptions {
  readonly content: Content
  readonly feed: Feed
  readonly webhooks: readonly Webhook[]
  onFault(fault: unknown): void
  warn(message: string): void
}

interface Deliverer {
  /** Webhooks that are new begin after the last event. */
  open(): Promise<void>
  begin(): void
  /** Discards events and deliveries in progress, which belong to the state before the restoration. */
  restored(): void
  end(): Promise<void>
}

export function createDeliverer({ content, feed, webhooks, onFault, warn }: DelivererOptions): Deliverer {
  const { database } = content
  const deliveries = createDeliveries(database)
  const lease = createLease(database, 'webhooks')
  const byName = new Map(webhooks.map((webhook) => [webhook.name, webhook]))
  const sending = new Map<string, Promise<void>>()
  /** Grows with each restoration, after which ids repeat. */
  let era = 0
  let startsOver = false
  let leading = false
  /** Grows whenever this process loses the lease. */
  let term = 0
  let unfollow: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let ended = false

  async function readPosition(webhook: string): Promise<string> {
    const known = await deliveries.position(webhook)
    if (known !== undefined) return known
    await deliveries.begin(webhook, await feed.position())
    return (await deliveries.position(webhook)) ?? ''
  }

  async function follow(webhook: Webhook, ownTerm: number): Promise<void> {
    const { name } = webhook
    let position = await readPosition(name)
    async function takeUp(events: readonly FeedEvent[]): Promise<void> {
      const own = era
      const to = events.at(-1)?.id ?? position
      const wanted = events.filter((event) => isWanted(webhook, event))
      const added: NewDelivery[] = []
      for (const event of wanted) added.push(await readDelivery(name, event))
      if (era !== own || term !== ownTerm) return
      if (await deliveries.add(name, position, to, added)) position = to
      // Another process took over, because this one did not renew its lease in time.
      else if (era === own && term === ownTerm) leave()
    }
    const stop = await feed.follow(position, {
      async take(events) {
        if (term !== ownTerm) return
        try {
          await takeUp(events)
        } catch (error) {
          // The feed continues after failed events, so the webhook restarts from its stored position.
          if (term === ownTerm) leave()
          throw error
        }
        tick()
      },
      lost: () =>
        warn(`webhook ${name}: events were deleted before they could be delivered; see events.keep`),
      ended: () => {},
    })
    if (term === ownTerm) unfollow.push(stop)
    else stop()
  }

  async function readDelivery(webhook: string, event: FeedEvent): Promise<NewDelivery> {
    const { id, type, entry, document, locale, at } = event
    const subject = document === undefined ? entry : [document.id, locale].filter(Boolean).join(' ')
    return {
      webhook,
      message: `msg_${id.replace('.', '_')}`,
      subject: `${type.uid} ${subject}`,
      event: getEventName(event),
      payload: await readPayload(content, event),
      at,
    }
  }

  function leave(): void {
    leading = false
    term += 1
    for (const stop of unfollow) stop()
    unfollow = []
  }

  async function lead(): Promise<void> {
    const own = await lease.take()
    if (own === leading) return
    if (!own) return leave()
    leading = true
    const ownTerm = term
    try {
      for (const webhook of webhooks) if (term === ownTerm) await follow(webhook, ownTerm)
    } catch (error) {
      leave()
      throw error
    }
  }

  async function work(): Promise<void> {
    if (startsOver) {
      startsOver = false
      leave()
    }
    await lead()
    if (!leading || ended) return
    const found = await deliveries.due(Date.now(), MAX_CONCURRENT)
    for (const delivery of found) {
      const id = `${era} ${delivery.id}`
      if (sending.size >= MAX_CONCURRENT || sending.has(id)) continue
      const task = deliver(delivery)
        .catch(onFault)
        .finally(() => {
          sending.delete(id)
          tick()
        })
      sending.set(id, task)
    }
  }

  async function deliver(delivery: DueDelivery): Promise<void> {
    const { id, webhook: name, message, event, payload, attempts } = delivery
    const own = era
    const webhook = byName.get(name)
    if (webhook === undefined)
      return deliveries.failed(delivery, attempts, undefined, 'the webhook is not in the file any more')
    const reason = await send(webhook, message, event, payload)
    if (era !== own) return
    if (reason === undefined) return deliveries.done(id)
    const tried = attempts + 1
    const over = tried > webhook.retries
    const pause = Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** attempts) * (0.75 + Math.random() / 2)
    await deliveries.failed(delivery, tried, over ? undefined : Date.now() + Math.round(pause), reason)
    if (over) warn(`webhook ${name}: ${event} could not be delivered (${reason}); see: cms-run webhooks list`)
  }

  async function send(
    webhook: Webhook,
    message: string,
    event: string,
    body: string,
  ): Promise<string | undefined> {
    const { url, timeout, mayBePrivate, secret } = webhook
    const now = new Date()
    const headers: Record<string, string> = {
      'user-agent': 'cms-run',
      ...webhook.headers,
      'content-type': 'application/json',
      'x-strapi-event': event,
      'webhook-id': message,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    }
    try {
      if (secret !== undefined) headers['webhook-signature'] = (await loadSigner(secret))(message, now, body)
      const status = await sendRequest({ url, headers, body, timeout, mayBePrivate })
      return status >= 200 && status < 300 ? undefined : `status ${status}`
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  function tick(): void {
    if (ended) return
    running ??= work()
      .catch(onFault)
      .finally(() => {
        running = undefined
      })
  }

  return {
    async open() {
      for (const { name } of webhooks) await readPosition(name)
    },
    begin() {
      timer = setInterval(tick, TICK_MS).unref()
      tick()
    },
    restored() {
      era += 1
      startsOver = true
      tick()
    },
    async end() {
      if (ended) return
      ended = true
      clearInterval(timer)
      await running
      leave()
      await Promise.all(sending.values())
      await lease.release()
    },
  }
}
