// Publishes and unpublishes the entries whose moment has come. Each moment is taken out of the entry with the write that
// it asks for, so it counts once: whoever unpublishes the entry afterwards has the last word.

import { clearInterval, setInterval } from 'node:timers'
import type { Content, WriteOptions } from '../../content/content.ts'
import type { EntryObject } from '../../content/rows/to-object.ts'
import { createLease } from '../../databases/leases.ts'
import { ApiError } from '../../errors/api-error.ts'
import { everything } from '../../model/access.ts'
import type { Params } from '../../plan/params.ts'
import type { Schedule } from './schedules.ts'

/** Milliseconds between two looks; tests put the clock forward and expect to see it. */
const LOOK_EVERY = 1_000
const LOOK_EVERY_IN_TESTS = 50
/** Milliseconds until an entry that could not be published is tried again. */
const PAUSE_AFTER_FAILURE = 60_000
/** Entries of a content-type that are read at a time. */
const BATCH = 100

const ONLY_ID: Params = { fields: ['id'] }
const OWN: WriteOptions = { params: ONLY_ID, access: everything }

export interface PublisherParts {
  readonly content: Content
  readonly schedules: readonly Schedule[]
  readonly testing: boolean
  /** Epoch milliseconds. */
  now(): number
  warn(message: string): void
  onFault(fault: unknown): void
}

export interface Publisher {
  /** Makes the table by which processes agree on who does it. */
  open(): Promise<void>
  begin(): void
  /** Entries of another moment are tried at once. */
  restored(): void
  /** Waits for what is being written, and lets another process go on. */
  end(): Promise<void>
}

/** What is asked of an entry at a moment. */
interface Step {
  readonly name: string
  readonly at: number
  readonly publishes: boolean
}

export function createPublisher(parts: PublisherParts): Publisher {
  const { content, schedules, testing, now, warn, onFault } = parts
  const lease = createLease(content.database, 'scheduling')
  /** Until when entries that could not be written are left alone, on the machine's clock. */
  const failed = new Map<string, number>()
  let looking: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let ended = false

  async function look(): Promise<void> {
    if (!(await lease.take())) return
    for (const schedule of schedules) {
      let found: readonly EntryObject[]
      do {
        found = ended ? [] : await dueEntries(schedule)
        for (const entry of found) await settle(schedule, entry)
      } while (found.length === BATCH)
    }
  }

  function dueEntries({ type, publishAt, unpublishAt }: Schedule): Promise<readonly EntryObject[]> {
    const names = [publishAt, unpublishAt].filter((name) => name !== undefined)
    const moment = new Date(now()).toISOString()
    const paused = pausedIds(type.uid)
    const due = { $or: names.map((name) => ({ [name]: { $lte: moment } })) }
    return content.findAll(type, {
      fields: ['id', 'publishedAt', ...names],
      filters: paused.length === 0 ? due : { $and: [due, { id: { $notIn: paused } }] },
      sort: [{ path: ['id'], descending: false }],
      publicationState: type.document === undefined ? 'preview' : 'draft',
      locale: 'all',
      pagination: { kind: 'offset', start: 0, limit: BATCH },
    })
  }

  function pausedIds(uid: string): readonly number[] {
    const moment = Date.now()
    for (const [key, until] of failed) if (until <= moment) failed.delete(key)
    return [...failed.keys()].flatMap((key) => (key.startsWith(`${uid} `) ? Number(key.split(' ')[1]) : []))
  }

  async function settle(schedule: Schedule, entry: EntryObject): Promise<void> {
    const { type } = schedule
    const id = Number(entry['id'])
    // The draft of a document is published each time: it may have been changed since.
    let published: boolean | undefined =
      type.document === undefined ? entry['publishedAt'] !== null : undefined
    for (const step of stepsOf(schedule, entry, now())) {
      const { publishes, at } = step
      try {
        if ((await writeWhile(schedule, id, step, published !== publishes)) && published !== undefined)
          published = publishes
      } catch (error) {
        failed.set(`${type.uid} ${id}`, Date.now() + PAUSE_AFTER_FAILURE)
        if (!(error instanceof ApiError)) return onFault(error)
        const what = `${type.singularName} ${id} could not be ${publishes ? 'published' : 'unpublished'}`
        return warn(`${what}, which was due at ${new Date(at).toISOString()}: ${error.message}`)
      }
    }
  }

  function stateOf({ publishes }: Step): string | null {
    return publishes ? new Date(now()).toISOString() : null
  }

  /** Not if the moment was changed, or another process was faster. */
  async function writeWhile({ type }: Schedule, id: number, step: Step, changes: boolean): Promise<boolean> {
    const { name, publishes } = step
    const documents = type.document !== undefined
    const state = changes && !documents ? { publishedAt: stateOf(step) } : {}
    const finish = documents ? (publishes ? 'publish' : 'unpublish') : undefined
    const stored = await content.findSecrets(type, { name: 'id', value: id }, [name])
    const value = stored?.values.get(name)
    if (value === undefined || value === null) return false
    try {
      const onlyWhile = { name, value: String(value) }
      await content.update(type, id, { [name]: null, ...state }, { ...OWN, onlyWhile, finish })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.name === 'NotFoundError') return false
      throw error
    }
  }

  function tick(): void {
    if (ended) return
    running ??= look()
      .catch(onFault)
      .finally(() => {
        running = undefined
      })
  }

  return {
    open: lease.open,
    begin() {
      looking = setInterval(tick, testing ? LOOK_EVERY_IN_TESTS : LOOK_EVERY).unref()
      tick()
    },
    restored: () => failed.clear(),
    async end() {
      if (ended) return
      ended = true
      clearInterval(looking)
      await running
      await lease.release()
    },
  }
}

/** What is due, in the order of its moments; at the same moment an entry is published first. */
function stepsOf({ publishAt, unpublishAt }: Schedule, entry: EntryObject, now: number): readonly Step[] {
  const steps = [
    { name: publishAt, publishes: true },
    { name: unpublishAt, publishes: false },
  ].flatMap(({ name, publishes }) => {
    const written = name === undefined ? null : entry[name]
    if (name === undefined || written === null || written === undefined) return []
    const at = new Date(String(written)).getTime()
    return at <= now ? [{ name, publishes, at }] : []
  })
  return steps.sort((one, other) => one.at - other.at)
}
