// All who listen to events: one follower of the feed for them. Who may know what is asked anew with every batch of
// events, once for listeners who have the same permissions and ask for the same; and telling leaves turns to others.

import type { Principal } from '../../../auth/principal.ts'
import type { OpenSubscription } from '../../../auth/subscription-limits.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { createTurns } from '../../../util/turns.ts'
import type { Feed, FeedEvent } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import type { TellEvents, Telling, ToldEvent, Wanted } from './tell-events.ts'

/** Units of one question, besides what it reads. */
const COST_OF_TELLING = 50

export interface Subscription {
  /** Equal for listeners who ask for the same. */
  readonly key: string
  /** What this caller may follow of it. Throws ForbiddenError, ValidationError. */
  wanted(principal: Principal): Wanted
}

/** The same object for all listeners who are the same caller and ask for the same. */
export interface Heard {
  readonly told: ToldEvent
  /** The caller when it was told. */
  readonly principal: Principal
}

export interface Listener {
  /** Who asks, by its header; read for every batch. */
  readonly request: HttpRequest
  readonly subscription: Subscription
  readonly open: OpenSubscription
  /** That of the last event that it knows. */
  number: number
  /** Whether it was ended, by itself or by `end`. */
  readonly over: boolean
  hear(events: readonly Heard[]): void
  /** Resolves when what it heard is not waiting any more. */
  drained(): Promise<void>
  /** Called when it may not listen any more, or cannot be told. */
  failed(fault: unknown): void
  /** Events were deleted before they were told. */
  lost(): void
  /** The feed has ended: it goes on with the next app. */
  ended(): void
}

export interface Listeners {
  /** The number of the last event that was told. */
  readonly number: number
  /** Resolves when `number` is known. */
  begin(): Promise<void>
  /** Tells the listener first what it has missed after its number. */
  add(listener: Listener): void
  remove(listener: Listener): void
  end(): void
}

export function createListeners(
  feed: Feed,
  tell: TellEvents,
  { guard }: Pick<PluginContext, 'guard'>,
): Listeners {
  const all = new Set<Listener>()
  /** Those that are told what they have missed. */
  const late = new Set<Listener>()
  const turns = createTurns()
  let number = 0
  let following: Promise<() => void> | undefined

  /** What each caller is told of these events; asked when its first listener is told. */
  function tellingOf(events: readonly FeedEvent[]) {
    const [first] = events
    const callers = new Map<string, Promise<Principal>>()
    const questions = new Map<unknown, Map<string, Question>>()

    function callerOf(request: HttpRequest): Promise<Principal> {
      const header = request.header('authorization') ?? ''
      const known = callers.get(header) ?? Promise.resolve().then(() => guard.callerOf(request))
      callers.set(header, known)
      return known
    }

    function questionOf({ permissions }: Principal, { key }: Subscription): Question {
      const known = questions.get(permissions) ?? new Map<string, Question>()
      questions.set(permissions, known)
      const question = known.get(key) ?? { payers: new Set(), telling: undefined, heard: new Map() }
      known.set(key, question)
      return question
    }

    return async (listener: Listener): Promise<void> => {
      if (listener.over || first === undefined) return
      const { request, subscription, open } = listener
      const principal = await callerOf(request)
      const question = questionOf(principal, subscription)
      const pays = !question.payers.has(open.caller)
      if (pays) open.assertAffordable(first)
      question.payers.add(open.caller)
      question.telling ??= tell(events, principal.permissions, subscription.wanted(principal))
      const { told, cost, allowed } = await question.telling
      if (pays) open.charge(first, COST_OF_TELLING + cost / events.length, allowed)
      const heard = question.heard.get(principal) ?? told.map((each) => ({ told: each, principal }))
      question.heard.set(principal, heard)
      const isNew = ({ told: { event } }: Heard): boolean => event.number > listener.number
      const fresh = heard.every(isNew) ? heard : heard.filter(isNew)
      listener.number = Math.max(listener.number, fresh.at(-1)?.told.event.number ?? 0)
      if (fresh.length > 0 && !listener.over) listener.hear(fresh)
    }
  }

  /** Tells listeners, in order, what they may know of the events; those who may not listen any more fail. */
  async function send(events: readonly FeedEvent[], to: readonly Listener[]): Promise<void> {
    const tellOne = tellingOf(events)
    await Promise.all(
      to.map((listener) =>
        turns.run(listener.open.caller, () => tellOne(listener)).catch((fault) => listener.failed(fault)),
      ),
    )
  }

  async function follow(): Promise<() => void> {
    const at = await feed.position()
    number = (await feed.numberOf(at)) ?? 0
    return feed.follow(at, {
      async take(events) {
        number = Math.max(number, events.at(-1)?.number ?? 0)
        await send(events, [...all])
      },
      moved(restored) {
        number = restored
        for (const listener of all) listener.number = restored
      },
      lost() {
        for (const listener of [...all]) listener.lost()
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
    for (const listener of [...all, ...late]) listener.ended()
    stop()
  }

  /** Tells what a listener has missed, and then lets it join the others without a gap. */
  async function catchUp(listener: Listener): Promise<void> {
    late.add(listener)
    try {
      await begin()
      let at = listener.number
      while (at < number && !listener.over) {
        const { events, upTo } = await feed.read(at, number)
        await send(events, [listener])
        await listener.drained()
        at = upTo
      }
      if (!listener.over) all.add(listener)
    } catch (fault) {
      listener.failed(fault)
    } finally {
      late.delete(listener)
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
    add: (listener) => void catchUp(listener),
    remove(listener) {
      all.delete(listener)
      stopAlone()
    },
    end,
  }
}

/** What callers with the same permissions are told who ask for the same. */
interface Question {
  readonly payers: Set<string>
  telling: Promise<Telling> | undefined
  readonly heard: Map<Principal, readonly Heard[]>
}
