// Iterates over the events visible to one caller, for subscriptions.

import type { Principal } from '../../../access/principal.ts'
import { ApiError } from '../../../lib/errors/api-error.ts'
import { buildExactKey, getObjectId } from '../../../lib/exact-key.ts'
import type { ContentType } from '../../../model/content-type.ts'
import type { Params } from '../../../plan/params.ts'
import type { SubscribingContext, SubscriptionEvent } from '../../graphql-extension.ts'
import type { Subscriber, Subscribers, Subscription } from './subscribers.ts'
import type { VisibleEvent } from './visible-events.ts'

/**
 * `toValue`: the value of the subscription's field. Ends with the app. Fails when the caller loses its
 * permission, or reads too slowly.
 */
export type FollowAs = (
  context: SubscribingContext,
  type: ContentType,
  params: Params,
  toValue: (event: VisibleEvent) => object,
) => AsyncIterableIterator<SubscriptionEvent>

/** Events per caller. */
const MAX_WAITING = 1_000

export function createFollowAs(subscribers: Subscribers): FollowAs {
  return ({ request: { signal }, request, subscription: open }, type, params, toValue) => {
    const waiting: SubscriptionEvent[] = []
    let over = false
    let failure: unknown
    let wake: (() => void) | undefined
    const end = (fault?: unknown): void => {
      if (over) return
      over = true
      failure = fault
      wake?.()
      signal.removeEventListener('abort', stop)
      subscribers.remove(subscriber)
    }
    const stop = (): void => end()
    const subscriber: Subscriber = {
      request,
      subscription: subscriptionTo(type, params),
      open,
      number: 0,
      get over() {
        return over
      },
      deliver(events, principal) {
        for (const told of events) waiting.push({ value: toValue(told), principal, cause: told.event })
        if (waiting.length > MAX_WAITING)
          end(new ApiError('ServiceUnavailableError', 'the subscription is read too slowly'))
        wake?.()
      },
      drained: () => Promise.resolve(),
      failed: end,
      lost: () => end(new ApiError('ServiceUnavailableError', 'events were lost: read everything again')),
      ended: stop,
    }
    subscribers.begin().then(() => {
      if (over) return subscribers.remove(subscriber)
      subscriber.number = subscribers.number
      subscribers.add(subscriber)
    }, end)
    signal.addEventListener('abort', stop)
    if (signal.aborted) end()
    return {
      async next() {
        while (waiting.length === 0 && !over)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        const value = waiting.shift()
        if (value !== undefined) return { done: false, value }
        if (failure !== undefined) throw failure
        return { done: true, value: undefined }
      },
      async return() {
        end()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }
}

function subscriptionTo(type: ContentType, params: Params): Subscription {
  const wanted = { types: new Set([type]), getParams: () => params, withEntries: false }
  return {
    key: `${type.uid} ${buildExactKey(params) ?? getObjectId(params)}`,
    wanted({ permissions }: Principal) {
      if (!permissions.can(`${type.uid}.find`)) throw new ApiError('ForbiddenError', 'Forbidden access')
      return wanted
    },
  }
}
