// Sends the feed's events to all subscribers. Permissions are checked for every batch, once for subscribers
// with equal permissions and the same request.

import type { Principal } from '../../../access/principal.ts'
import type { OpenSubscription } from '../../../access/subscription-limits.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { createTurns } from '../../../lib/turns.ts'
import type { Feed, FeedEvent } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import type { Selection, SelectVisible, VisibleEvent, VisibleEvents } from './visible-events.ts'

/** Units per query, besides its reads. */
const EVENT_COST = 50

export interface Subscription {
  readonly key: string
  wanted(principal: Principal): Selection
}

export interface Subscriber {
  readonly request: HttpRequest
  readonly subscription: Subscription
  readonly open: OpenSubscription
  /** The number of the last event that it received. */
  number: number
  readonly over: boolean
  deliver(events: readonly VisibleEvent[], principal: Principal): void
  drained(): Promise<void>
  /** Called when the caller loses its permission. */
  failed(fault: unknown): void
  /** Called when events were deleted before they were sent. */
  lost(): void
  /** The feed ended with the app; the next app continues it. */
  ended(): void
}

export interface Subscribers {
  readonly number: number
  begin(): Promise<void>
  /** Sends first the events after the subscriber's number. */
  add(subscriber: Subscriber): void
  remove(subscriber: Subscriber): void
  end(): void
}

export function createSubscribers(
  feed: Feed,
  tell: SelectVisible,
  { guard }: Pick<PluginContext, 'guard'>,
): Subscribers {
  const all = new Set<Subscriber>()
  const late = new Set<Subscriber>()
  const turns = createTurns()
  let number = 0
  let following: Promise<() => void> | undefined

  function getTelling(events: readonly FeedEvent[]) {
    const [first] = events
    const callers = new Map<string, Promise<Principal>>()
    const queries = new Map<unknown, Map<string, SharedQuery>>()

    function readCaller(request: HttpRequest): Promise<Principal> {
      const header = request.header('authorization') ?? ''
      const known = callers.get(header) ?? Promise.resolve().then(() => guard.getCaller(request))
      callers.set(header, known)
      return known
    }

    function buildQueryKey({ permissions }: Principal, { key }: Subscription): SharedQuery {
      const known = queries.get(permissions) ?? new Map<string, SharedQuery>()
      queries.set(permissions, known)
      const query = known.get(key) ?? { payers: new Set(), telling: undefined }
      known.set(key, query)
      return query
    }

    return async (subscriber: Subscriber): Promise<void> => {
      if (subscriber.over || first === undefined) return
      const { request, subscription, open } = subscriber
      const principal = await readCaller(request)
      const query = buildQueryKey(principal, subscription)
      const pays = !query.payers.has(open.caller)
      if (pays) open.assertAffordable(first)
      query.payers.add(open.caller)
      query.telling ??= tell(events, principal.permissions, subscription.wanted(principal))
      const { told, cost, allowed } = await query.telling
      if (pays) open.charge(first, EVENT_COST + cost / events.length, allowed)
      const isNew = ({ event }: VisibleEvent): boolean => event.number > subscriber.number
      const fresh = told.every(isNew) ? told : told.filter(isNew)
      subscriber.number = Math.max(subscriber.number, fresh.at(-1)?.event.number ?? 0)
      if (fresh.length > 0 && !subscriber.over) subscriber.deliver(fresh, principal)
    }
  }

  /** Sends subscribers their visible events in order; those without permission fail. */
  async function send(events: readonly FeedEvent[], to: readonly Subscriber[]): Promise<void> {
    const tellOne = getTelling(events)
    await Promise.all(
      to.map((subscriber) =>
        turns
          .run(subscriber.open.caller, () => tellOne(subscriber))
          .catch((fault) => subscriber.failed(fault)),
      ),
    )
  }

  async function follow(): Promise<() => void> {
    const at = await feed.position()
    number = (await feed.getNumber(at)) ?? 0
    return feed.follow(at, {
      async take(events) {
        number = Math.max(number, events.at(-1)?.number ?? 0)
        await send(events, [...all])
      },
      moved(restored) {
        number = restored
        for (const subscriber of all) subscriber.number = restored
      },
      lost() {
        for (const subscriber of [...all]) subscriber.lost()
        stop()
      },
      ended: end,
    })
  }

  function begin(): Promise<unknown> {
    following ??= follow().catch((fault: unknown) => {
      following = undefined
      throw fault
    })
    return following
  }

  function stop(): void {
    void following?.then((unfollow) => unfollow()).catch(() => {})
    following = undefined
  }

  function stopAlone(): void {
    if (all.size + late.size === 0) stop()
  }

  function end(): void {
    for (const subscriber of [...all, ...late]) subscriber.ended()
    stop()
  }

  /** Sends the missed events, then joins the subscriber to the others without a gap. */
  async function catchUp(subscriber: Subscriber): Promise<void> {
    late.add(subscriber)
    try {
      await begin()
      let at = subscriber.number
      while (at < number && !subscriber.over) {
        const { events, upTo } = await feed.read(at, number)
        await send(events, [subscriber])
        await subscriber.drained()
        at = upTo
      }
      if (!subscriber.over) all.add(subscriber)
    } catch (fault) {
      subscriber.failed(fault)
    } finally {
      late.delete(subscriber)
      stopAlone()
    }
  }

  return {
    get number() {
      return number
    },
    async begin() {
      await begin()
    },
    add: (subscriber) => void catchUp(subscriber),
    remove(subscriber) {
      all.delete(subscriber)
      stopAlone()
    },
    end,
  }
}

interface SharedQuery {
  readonly payers: Set<string>
  telling: Promise<VisibleEvents> | undefined
}
