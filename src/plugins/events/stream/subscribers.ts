// The subscribers of events: one follower of the feed for all of them. Permissions are checked anew with every batch
// of events, once for subscribers with equal permissions and the same request; delivering leaves turns to others.

import type { Principal } from '../../../access/principal.ts'
import type { OpenSubscription } from '../../../access/subscription-limits.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { createTurns } from '../../../lib/turns.ts'
import type { Feed, FeedEvent } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import type { Selection, SelectVisible, VisibleEvent, VisibleEvents } from './visible-events.ts'

/** Units of one query, besides what it reads. */
const COST_OF_TELLING = 50

export interface Subscription {
  /** Equal for listeners who ask for the same. */
  readonly key: string
  /** The selection that this caller may follow. Throws ForbiddenError, ValidationError. */
  wanted(principal: Principal): Selection
}

export interface Subscriber {
  /** Who asks, by its header; read for every batch. */
  readonly request: HttpRequest
  readonly subscription: Subscription
  readonly open: OpenSubscription
  /** That of the last event that it knows. */
  number: number
  /** Whether it was ended, by itself or by `end`. */
  readonly over: boolean
  /** `principal`: the caller at this moment. */
  deliver(events: readonly VisibleEvent[], principal: Principal): void
  /** Resolves when what it heard is not waiting any more. */
  drained(): Promise<void>
  /** Called when it may not listen any more, or cannot be told. */
  failed(fault: unknown): void
  /** Events were deleted before they were told. */
  lost(): void
  /** The feed has ended: it goes on with the next app. */
  ended(): void
}

export interface Subscribers {
  /** The number of the last event that was told. */
  readonly number: number
  /** Resolves when `number` is known. */
  begin(): Promise<void>
  /** Tells the listener first what it has missed after its number. */
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
  /** Those that are told what they have missed. */
  const late = new Set<Subscriber>()
  const turns = createTurns()
  let number = 0
  let following: Promise<() => void> | undefined

  /** The visible events of each caller; read when its first subscriber is served. */
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
      if (pays) open.charge(first, COST_OF_TELLING + cost / events.length, allowed)
      const isNew = ({ event }: VisibleEvent): boolean => event.number > subscriber.number
      const fresh = told.every(isNew) ? told : told.filter(isNew)
      subscriber.number = Math.max(subscriber.number, fresh.at(-1)?.event.number ?? 0)
      if (fresh.length > 0 && !subscriber.over) subscriber.deliver(fresh, principal)
    }
  }

  /** Tells listeners, in order, what they may know of the events; those who may not listen any more fail. */
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
      // The next listener tries again.
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

  /** Tells what a listener has missed, and then lets it join the others without a gap. */
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

/** Shared by callers with the same permissions and the same request. */
interface SharedQuery {
  readonly payers: Set<string>
  telling: Promise<VisibleEvents> | undefined
}
