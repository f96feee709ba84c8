// Feeds changes to the embedding program, also across reloads.

import { expandTypeName } from '../model/find-target.ts'
import type { Feed, FeedEvent, FeedReader } from '../plugins/feed.ts'
import type { EntryChange, Writer } from '../write/recorded-changes.ts'
import type { App } from './app.ts'

export interface CmsChange {
  /** `changes({ after })` continues after this event. */
  readonly id: string
  /** `reset`: all entries of the type were replaced. */
  readonly action: EntryChange['action']
  readonly type: string
  readonly uid: string
  readonly entryId: number | undefined
  readonly documentId: string | undefined
  /** The changed version; undefined for types without versions. */
  readonly status: 'draft' | 'published' | undefined
  readonly locale: string | undefined
  readonly changed: readonly string[]
  readonly at: Date
  /** Undefined for the server's own code. */
  readonly by: Writer | undefined
}

export interface ChangesOptions {
  readonly types?: readonly string[]
  /** The id of the last change that the program has seen; by default changes from now on. */
  readonly after?: string
}

export interface Changes {
  on(type: string, listener: (change: CmsChange) => unknown): Promise<() => void>
  changes(options?: ChangesOptions): AsyncIterableIterator<CmsChange>
  end(): void
}

/** The feed pauses until the program takes them. */
const MAX_WAITING = 1_000

export function followChanges(current: () => App, onFault: (fault: unknown) => void): Changes {
  const ends = new Set<() => void>()

  async function follow(
    after: string | undefined,
    reader: Pick<FeedReader, 'take' | 'lost'>,
    over: () => void,
  ): Promise<() => void> {
    let last = after ?? (await getFeed(current()).position())
    let stopped = false
    let unfollow = (): void => {}
    const stop = (): void => {
      stopped = true
      unfollow()
      ends.delete(end)
    }
    const end = (): void => {
      stop()
      over()
    }
    ends.add(end)
    async function begin(): Promise<void> {
      const { feed } = current()
      if (feed === undefined) return end()
      unfollow = await feed.follow(last, {
        async take(events) {
          last = events.at(-1)?.id ?? last
          await reader.take(events)
        },
        moved(number) {
          last = feed.getId(number)
        },
        lost() {
          void feed.position().then((id) => {
            last = id
          }, onFault)
          reader.lost()
        },
        ended() {
          // The next app answers already, unless the instance closes.
          if (!stopped && current().feed !== feed) begin().catch(onFault)
        },
      })
      if (stopped) unfollow()
    }
    await begin()
    return stop
  }

  function assertTypes(names: readonly string[]): ReadonlySet<string> | undefined {
    const { model } = current()
    const known = names.map((name) => expandTypeName(name, model.contentTypes.keys()))
    const unknown = names.find((_, index) => known[index] === undefined)
    if (unknown !== undefined) throw new TypeError(`there is no content-type "${unknown}"`)
    return new Set(known.filter((uid) => uid !== undefined))
  }

  return {
    async on(type, listener) {
      getFeed(current())
      const uids = type === '*' ? undefined : assertTypes([type])
      const tell = async (event: FeedEvent): Promise<void> => {
        try {
          await listener(getChange(event))
        } catch (fault) {
          onFault(fault)
        }
      }
      return follow(
        undefined,
        {
          async take(events) {
            for (const event of events) if (uids?.has(event.type.uid) !== false) await tell(event)
          },
          lost: () => {},
        },
        () => {},
      )
    },

    changes({ types, after } = {}) {
      getFeed(current())
      const uids = types === undefined ? undefined : assertTypes(types)
      let waiting: CmsChange[] = []
      let over = false
      let failure: Error | undefined
      let taker: (() => void) | undefined
      let drained: (() => void) | undefined
      const wake = (): void => {
        taker?.()
        taker = undefined
      }
      const end = (): void => {
        over = true
        drained?.()
        wake()
      }
      const following = follow(
        after,
        {
          async take(events) {
            for (const event of events)
              if (uids?.has(event.type.uid) !== false) waiting.push(getChange(event))
            wake()
            if (waiting.length >= MAX_WAITING && !over)
              await new Promise<void>((resolve) => {
                drained = resolve
              })
          },
          lost() {
            failure = new Error(`the changes after "${after}" are not kept any more: read everything again`)
            end()
          },
        },
        end,
      )
      following.catch((fault: Error) => {
        failure = fault
        end()
      })
      return {
        async next() {
          while (waiting.length === 0 && !over)
            await new Promise<void>((resolve) => {
              taker = resolve
            })
          const change = waiting.shift()
          if (waiting.length === 0) drained?.()
          if (change !== undefined) return { done: false, value: change }
          if (failure !== undefined) throw failure
          return { done: true, value: undefined }
        },
        async return() {
          waiting = []
          end()
          ;(await following)()
          return { done: true, value: undefined }
        },
        [Symbol.asyncIterator]() {
          return this
        },
      }
    },

    end() {
      for (const end of ends) end()
    },
  }
}

function getFeed({ feed }: App): Feed {
  if (feed === undefined)
    throw new TypeError('there are no events: write "events: true" into the configuration')
  return feed
}

function getChange(event: FeedEvent): CmsChange {
  const { id, action, type, entry, locale, document, attributes, at, by } = event
  const { singularName, uid } = type
  return {
    id,
    action,
    type: singularName,
    uid,
    entryId: entry,
    documentId: document?.id,
    status: document?.status,
    locale,
    changed: attributes,
    at: new Date(at),
    by,
  }
}
