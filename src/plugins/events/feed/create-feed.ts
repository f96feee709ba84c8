// Sends new events to followers, after commits, database notifications or polling.

import { performance } from 'node:perf_hooks'
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers'
import type { Database, DatabaseListener } from '../../../storage/database.ts'
import type { Feed, FeedReader } from '../../feed.ts'
import type { FeedStore } from './feed-store.ts'

/** Milliseconds between two polls, and between polls while the database sends notifications. */
const POLL_INTERVAL_MS = 250
const SLOW_POLL_INTERVAL_MS = 10_000
const FAILURE_PAUSE_MS = 1_000

interface FeedOptions {
  readonly store: FeedStore
  readonly database: Pick<Database, 'dialect' | 'server'>
  onFault(fault: unknown): void
}

interface RunningFeed extends Feed {
  wake(): void
  /** The database was restored to another moment. */
  restored(): void
  /** Resolves when all followers have finished their work. */
  end(): Promise<void>
}

interface Follower {
  readonly reader: FeedReader
  epoch: string
  number: number
  stopped: boolean
  working: boolean
  /** Whether more events came meanwhile. */
  behind: boolean
}

export function createFeed({ store, database, onFault }: FeedOptions): RunningFeed {
  /** Whether other processes may write to the database. */
  const shared = database.server !== undefined
  const followers = new Set<Follower>()
  let epoch = ''
  let looking: NodeJS.Timeout | undefined
  let listening: DatabaseListener | undefined
  let looked = 0
  let pause: NodeJS.Timeout | undefined
  let ended = false
  const working = new Set<Promise<void>>()
  let looksNow = false
  let again = false
  /** Grows with each restoration: events read before one are not sent after it. */
  let era = 0
  /** Pending until the position after a restoration is found. */
  let moving: Promise<void> | undefined

  async function pump(follower: Follower, last: number, trimmed: number): Promise<void> {
    if (follower.epoch !== epoch || follower.number > last || follower.number < trimmed) {
      follower.epoch = epoch
      follower.number = last
      follower.reader.lost()
      return
    }
    while (!follower.stopped && follower.number < last) {
      const own = era
      const { events, upTo } = await store.list(epoch, follower.number, last)
      if (follower.stopped || era !== own) return
      follower.number = upTo
      if (events.length > 0) await follower.reader.take(events)
    }
  }

  /** Reads the feed's position, and lets each follower that is behind read on at its own pace. */
  async function tell(): Promise<void> {
    while (again && !ended && followers.size > 0) {
      await moving
      again = false
      looked = performance.now()
      const now = era
      const { epoch: own, last, trimmed } = await store.state()
      if (era !== now) {
        again = true
        continue
      }
      epoch = own
      for (const follower of followers) {
        if (follower.number === last && follower.epoch === own) continue
        if (follower.working) follower.behind = true
        else start(follower, last, trimmed)
      }
    }
  }

  function start(follower: Follower, last: number, trimmed: number): void {
    follower.working = true
    follower.behind = false
    const task = pump(follower, last, trimmed)
      .catch(failed)
      .finally(() => {
        working.delete(task)
        follower.working = false
        if (follower.behind) wake()
      })
    working.add(task)
  }

  function failed(fault: unknown): void {
    if (ended) return
    onFault(fault)
    pause ??= setTimeout(() => {
      pause = undefined
      wake()
    }, FAILURE_PAUSE_MS).unref()
  }

  function wake(): void {
    again = true
    if (looksNow || ended || followers.size === 0) return
    looksNow = true
    const task = tell()
      .catch(failed)
      .finally(() => {
        working.delete(task)
        looksNow = false
        if (again && pause === undefined) wake()
      })
    working.add(task)
  }

  /** Polls too, because a notification may be lost with its connection. */
  function lookAgain(): void {
    if (listening?.up === true && performance.now() - looked < SLOW_POLL_INTERVAL_MS) return
    wake()
  }

  function look(): Promise<void> | undefined {
    const wanted = shared && followers.size > 0 && !ended
    if (wanted) {
      listening ??= database.server?.listen(wake)
      looking ??= setInterval(lookAgain, POLL_INTERVAL_MS).unref()
    } else {
      clearInterval(looking)
      looking = undefined
      const closing = listening?.close()
      listening = undefined
      return closing
    }
  }

  /** Reads the position at once, before further writes. */
  async function move(own: number): Promise<void> {
    const told = [...followers]
    const { epoch: restored, last } = await store.state()
    if (era !== own) return
    epoch = restored
    for (const follower of told) {
      follower.epoch = restored
      follower.number = last
      follower.reader.moved?.(last)
    }
  }

  const feed: RunningFeed = {
    wake,
    restored() {
      era += 1
      const own = era
      moving = move(own)
        .catch(failed)
        .finally(() => {
          if (era === own) moving = undefined
          wake()
        })
    },
    async position() {
      const state = await store.state()
      epoch = state.epoch
      return feed.getId(state.last)
    },
    async follow(after, reader) {
      const id = after ?? (await feed.position())
      const [own = '', number = ''] = id.split('.')
      const place = { epoch: own, number: numberIn(number) }
      const follower: Follower = { reader, ...place, stopped: false, working: false, behind: false }
      if (ended) {
        reader.ended()
        return () => {}
      }
      followers.add(follower)
      void look()
      wake()
      return () => {
        follower.stopped = true
        followers.delete(follower)
        void look()
      }
    },
    read: (after, upTo) => store.list(epoch, after, upTo),
    async getNumber(id) {
      const [own, text = ''] = id.split('.')
      const number = numberIn(text)
      const state = await store.state()
      epoch = state.epoch
      return own === state.epoch && number >= state.trimmed && number <= state.last ? number : undefined
    },
    getId: (number) => `${epoch}.${number}`,
    async end() {
      if (ended) return
      ended = true
      const closing = look()
      clearTimeout(pause)
      const told = [...followers]
      followers.clear()
      for (const follower of told) {
        follower.stopped = true
        follower.reader.ended()
      }
      await Promise.all([...working, closing])
    },
  }
  return feed
}

/** -1, which is not in the feed, for an invalid number. */
function numberIn(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : -1
}
