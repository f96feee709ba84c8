// What one caller is told, as an iteration: for subscriptions.

import type { Principal } from '../../../auth/principal.ts'
import { ApiError } from '../../../errors/api-error.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { Feed } from '../../feed.ts'
import type { PluginContext } from '../../plugin.ts'
import type { TellEvents, ToldEvent, Wanted } from './tell-events.ts'

export interface Heard {
  readonly told: ToldEvent
  /** The caller when it was told. */
  readonly principal: Principal
}

/** Ends with the generation. Fails when the caller may not listen any more, or does not take what it is told. */
export type FollowAs = (request: HttpRequest, wanted: Wanted) => AsyncIterableIterator<Heard>

/** Events that may wait for the caller. */
const MOST_WAITING = 1_000

export function createFollowAs(
  feed: Feed,
  tell: TellEvents,
  { guard }: Pick<PluginContext, 'guard'>,
): FollowAs {
  return (request, wanted) => {
    const waiting: Heard[] = []
    let over = false
    let failure: unknown
    let wake: (() => void) | undefined
    const end = (fault?: unknown): void => {
      if (over) return
      over = true
      failure = fault
      wake?.()
      request.signal.removeEventListener('abort', stop)
      void following.then((unfollow) => unfollow()).catch(() => {})
    }
    const stop = (): void => end()
    const following = feed.follow(undefined, {
      async take(events) {
        try {
          const principal = await guard.callerOf(request)
          for (const type of wanted.types)
            if (!principal.permissions.can(`${type.uid}.find`))
              throw new ApiError('ForbiddenError', 'Forbidden access')
          for (const told of await tell(events, principal.permissions, wanted))
            waiting.push({ told, principal })
          if (waiting.length > MOST_WAITING)
            throw new ApiError('ServiceUnavailableError', 'the subscription is read too slowly')
          wake?.()
        } catch (fault) {
          end(fault)
        }
      },
      lost: () => end(new ApiError('ServiceUnavailableError', 'events were lost: read everything again')),
      ended: () => end(),
    })
    following.catch(end)
    request.signal.addEventListener('abort', stop)
    if (request.signal.aborted) end()
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
