// Publishes and unpublishes entries at their times. Each write clears its time, so that it counts once and a
// later manual change stays.

import { clearInterval, setInterval } from 'node:timers'
import { ApiError } from '../../lib/errors/api-error.ts'
import { waitForTurn } from '../../lib/next-turn.ts'
import { everything } from '../../model/access.ts'
import type { Params } from '../../plan/params.ts'
import type { EntryObject } from '../../query/rows/to-object.ts'
import type { Content, WriteOptions } from '../../write/content.ts'
import { createLease } from '../leases.ts'
import { createFailedSteps } from './failed-steps.ts'
import type { Schedule } from './schedules.ts'

/** Tests move the clock and expect a quick effect. */
const CHECK_INTERVAL_MS = 1_000
const TEST_CHECK_INTERVAL_MS = 50
/** Entries of a content-type per read. */
const BATCH_ENTRIES = 100
/** Retries of a content-type per check, after all other entries. */
const MAX_RETRIES = 100

const ONLY_ID: Params = { fields: ['id'] }
const OWN: WriteOptions = { params: ONLY_ID, access: everything, by: undefined }

interface PublisherOptions {
  readonly content: Content
  readonly schedules: readonly Schedule[]
  readonly testing: boolean
  /** Epoch milliseconds. */
  now(): number
  warn(message: string): void
  onFault(fault: unknown): void
}

interface Publisher {
  begin(): void
  /** Tries failed entries again at once, because the content was restored to another moment. */
  restored(): void
  /**
   * Entries of each content-type that could not be written in time; counted by the publishing process only.
   */
  readonly overdue: ReadonlyMap<string, number>
  /** Waits for running writes, then lets another process take over. */
  end(): Promise<void>
}

interface Step {
  readonly name: string
  readonly at: number
  readonly publishes: boolean
}

interface Due {
  readonly schedule: Schedule
  readonly entry: EntryObject
  readonly steps: readonly Step[]
}

export function createPublisher(options: PublisherOptions): Publisher {
  const { content, schedules, testing, now, warn, onFault } = options
  const lease = createLease(content.database, 'scheduling')
  const failed = createFailedSteps(now, warn)
  const overdue = new Map<string, number>()
  let looking: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let ended = false

  async function look(): Promise<void> {
    const retries: Due[] = []
    for (const schedule of schedules) {
      const wanted = retries.length + MAX_RETRIES
      // A type whose table cannot be read delays no other.
      await settleNew(schedule, (due) => retries.length < wanted && retries.push(due)).catch(onFault)
      failed.report()
    }
    for (const due of retries) if (!ended) await settle(due)
  }

  /** Writes entries that have not failed and passes on those to retry. */
  async function settleNew(schedule: Schedule, retry: (due: Due) => unknown): Promise<void> {
    const { uid } = schedule.type
    let failing = 0
    let last = 0
    for (let isWhole = true; isWhole; await waitForTurn()) {
      if (ended || !(await lease.take())) return void overdue.delete(uid)
      const found = await dueEntries(schedule, last)
      for (const entry of found) {
        const due = { schedule, entry, steps: listSteps(schedule, entry, now()) }
        const retryAt = due.steps
          .map((step) => failed.retryAt(buildKey(due, step)))
          .find((at) => at !== undefined)
        if (ended) return
        if (retryAt !== undefined || !(await settle(due))) failing++
        if (retryAt !== undefined && retryAt <= now()) retry(due)
      }
      last = Number(found.at(-1)?.['id'])
      isWhole = found.length === BATCH_ENTRIES
    }
    overdue.set(uid, failing)
  }

  /** The lowest ids above `last`. */
  function dueEntries(schedule: Schedule, last: number): Promise<readonly EntryObject[]> {
    const { type, publishAt, unpublishAt } = schedule
    const names = [publishAt, unpublishAt].filter((name) => name !== undefined)
    const moment = new Date(now()).toISOString()
    return content.findAll(type, {
      fields: ['id', 'publishedAt', ...names],
      filters: { id: { $gt: last }, $or: names.map((name) => ({ [name]: { $lte: moment } })) },
      sort: [{ path: ['id'], descending: false }],
      publicationState: type.document === undefined ? 'preview' : 'draft',
      locale: 'all',
      pagination: { kind: 'offset', start: 0, limit: BATCH_ENTRIES },
    })
  }

  async function settle(due: Due): Promise<boolean> {
    const { schedule, entry, steps } = due
    const { type } = schedule
    const id = Number(entry['id'])
    // The draft of a document is published each time, because it may have changed.
    let published: boolean | undefined =
      type.document === undefined ? entry['publishedAt'] !== null : undefined
    for (const step of steps) {
      const { publishes, at } = step
      try {
        if ((await writeWhile(schedule, id, step, published !== publishes)) && published !== undefined)
          published = publishes
      } catch (error) {
        const what = `${type.singularName} ${id} could not be ${publishes ? 'published' : 'unpublished'}`
        const isOurs = !(error instanceof ApiError)
        const reason = isOurs ? 'an internal error' : error.message
        const message = `${what}, which was due at ${new Date(at).toISOString()}: ${reason}`
        if (failed.add(buildKey(due, step), message) && isOurs) onFault(error)
        return false
      }
    }
    return true
  }

  function getState({ publishes }: Step): string | null {
    return publishes ? new Date(now()).toISOString() : null
  }

  /** Skips the write if the time was changed or another process was faster. */
  async function writeWhile({ type }: Schedule, id: number, step: Step, changes: boolean): Promise<boolean> {
    const { name, publishes } = step
    const documents = type.document !== undefined
    const state = changes && !documents ? { publishedAt: getState(step) } : {}
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
    begin() {
      looking = setInterval(tick, testing ? TEST_CHECK_INTERVAL_MS : CHECK_INTERVAL_MS).unref()
      tick()
    },
    overdue,
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

/** In order of time; at the same time, publishing comes first. */
function listSteps({ publishAt, unpublishAt }: Schedule, entry: EntryObject, now: number): readonly Step[] {
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

function buildKey({ schedule, entry }: Due, { name, at }: Step): string {
  return `${schedule.type.uid} ${String(entry['id'])} ${name} ${at}`
}
