// The receivers of server-sent events: one follower of the feed for all of them. Who may know what is asked anew with
// every batch of events, once for receivers who are the same caller and ask for the same.

import { clearInterval, setInterval } from 'node:timers'
import type { Principal } from '../../../auth/principal.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { hasVersions } from '../../../model/content-dialect.ts'
import type { Feed, FeedEvent } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import { createEventStream, type EventStream } from './event-stream.ts'
import type { TellEvents, ToldEvent, Wanted } from './tell-events.ts'

/** Milliseconds; a connection is closed when nothing is sent for a minute. */
const HEARTBEAT = 15_000

const beat = Buffer.from(':\n\n')
const nothing = Buffer.alloc(0)
const tooSlow = dropped('the receiver reads too slowly; connect again to go on')

export interface Subscription {
  /** Equal for receivers who ask for the same. */
  readonly key: string
  /** What this caller may follow of it. Throws ForbiddenError, ValidationError. */
  wanted(principal: Principal): Wanted
}

interface Receiver {
  /** Who asks, by its header; read for every batch. */
  readonly request: HttpRequest
  readonly subscription: Subscription
  readonly stream: EventStream
  number: number
}

export interface Receivers {
  /** `after`: the id of the last event that the receiver has. */
  add(request: HttpRequest, subscription: Subscription, after: string | undefined): Promise<EventStream>
  /** Ends all answers: receivers connect again, and go on. */
  end(): void
}

export function createReceivers(
  feed: Feed,
  tell: TellEvents,
  { guard, onFault }: Pick<PluginContext, 'guard' | 'onFault'>,
): Receivers {
  const all = new Set<Receiver>()
  /** Those that are sent what they have missed. */
  const late = new Set<EventStream>()
  let number = 0
  let following: Promise<() => void> | undefined
  let beating: NodeJS.Timeout | undefined

  /** Sends events that a set of receivers may know, in order; those who may not listen any more are dropped. */
  async function send(events: readonly FeedEvent[], to: readonly Receiver[]): Promise<void> {
    const callers = new Map<string, Promise<Principal>>()
    const texts = new Map<unknown, Map<string, Promise<readonly Sent[]>>>()
    for (const receiver of to) {
      const { request, subscription, stream } = receiver
      const header = request.header('authorization') ?? ''
      const caller = callers.get(header) ?? principalOf(request)
      callers.set(header, caller)
      try {
        const principal = await caller
        const { permissions } = principal
        const known = texts.get(permissions) ?? new Map<string, Promise<readonly Sent[]>>()
        texts.set(permissions, known)
        const sent = known.get(subscription.key) ?? textsOf(events, principal, subscription)
        known.set(subscription.key, sent)
        for (const each of await sent) {
          if (each.number <= receiver.number) continue
          receiver.number = each.number
          stream.push(each.text)
        }
      } catch (error) {
        stream.end(dropped(reasonOf(error)))
      }
    }
  }

  async function principalOf(request: HttpRequest): Promise<Principal> {
    return guard.callerOf(request)
  }

  async function textsOf(
    events: readonly FeedEvent[],
    principal: Principal,
    subscription: Subscription,
  ): Promise<readonly Sent[]> {
    const told = await tell(events, principal.permissions, subscription.wanted(principal))
    return told.map((each) => ({ number: each.event.number, text: messageOf(each) }))
  }

  function reasonOf(error: unknown): string {
    if (error instanceof ApiError) return error.message
    onFault(error, undefined)
    return 'an internal error; connect again to go on'
  }

  async function begin(): Promise<() => void> {
    const at = await feed.position()
    number = (await feed.numberOf(at)) ?? 0
    beating = setInterval(() => {
      for (const { stream } of all) stream.push(beat)
    }, HEARTBEAT).unref()
    return feed.follow(at, {
      async take(events) {
        number = Math.max(number, events.at(-1)?.number ?? 0)
        await send(events, [...all])
      },
      moved(restored) {
        number = restored
        for (const receiver of all) receiver.number = restored
      },
      lost() {
        for (const { stream } of all) stream.end(dropped('connect again to go on'))
        stop()
      },
      ended: end,
    })
  }

  function stop(): void {
    clearInterval(beating)
    void following?.then((unfollow) => unfollow())
    following = undefined
  }

  function end(): void {
    for (const { stream } of all) stream.end(nothing)
    for (const stream of late) stream.end(nothing)
    stop()
  }

  return {
    async add(request, subscription, after) {
      following ??= begin()
      await following
      const from = after === undefined ? number : await feed.numberOf(after)
      const start = from ?? number
      const lost = from === undefined ? textOf('reset', {}) : ''
      const first = Buffer.from(`retry: 1000\n\n${lost}id: ${feed.idOf(start)}\n${textOf('ready', {})}`)
      const stream = createEventStream(first, tooSlow, () => {
        all.delete(receiver)
        if (all.size + late.size === 0) stop()
      })
      const receiver: Receiver = { request, subscription, stream, number: start }
      if (start < number) void catchUp(receiver)
      else all.add(receiver)
      return stream
    },
    end,
  }

  /** Sends what a receiver has missed, and then lets it join the others without a gap. */
  async function catchUp(receiver: Receiver): Promise<void> {
    const { stream } = receiver
    late.add(stream)
    try {
      let at = receiver.number
      while (at < number && !stream.over) {
        const { events, upTo } = await feed.read(at, number)
        await send(events, [receiver])
        await stream.drained()
        at = upTo
      }
      if (!stream.over) all.add(receiver)
    } catch (error) {
      stream.end(dropped(reasonOf(error)))
    } finally {
      late.delete(stream)
    }
  }
}

interface Sent {
  readonly number: number
  readonly text: Uint8Array
}

function messageOf({ event, action, entry, changed, status }: ToldEvent): Uint8Array {
  const { id, type, at, locale, document } = event
  const facts = {
    action,
    type: type.singularName,
    uid: type.uid,
    // The number of a published row is another one after each publishing.
    ...(hasVersions(type) && event.entry !== undefined ? {} : { id: event.entry ?? null }),
    ...(document === undefined ? {} : { documentId: document.id }),
    ...(document?.status === undefined ? {} : { status }),
    ...(locale === undefined ? {} : { locale }),
    changed,
    at: new Date(at).toISOString(),
  }
  const data = `${JSON.stringify(facts).slice(0, -1)},"entry":${entry ?? 'null'}}`
  return Buffer.from(`id: ${id}\ndata: ${data}\n\n`)
}

function textOf(event: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function dropped(reason: string): Uint8Array {
  return Buffer.from(textOf('dropped', { reason }))
}
