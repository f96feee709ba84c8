// Keeps what `createCms` made from a file or an object: the checked configuration and a copy of the content of the start.
// The next instance of the same begins with them (decision 0276). Nothing that an instance changes is kept.

import { readHash } from '../config/load-config.ts'
import type { Snapshot } from '../databases/database.ts'
import { columnsWith, type MomentColumn, moveMoments } from '../databases/move-moments.ts'
import { noUserCode } from '../user-code/load-user-code.ts'
import { BoundedCache } from '../util/bounded-cache.ts'
import { exactKey } from '../util/exact-key.ts'
import { isRecord } from '../util/is-record.ts'
import { relativeMoment } from '../util/relative-moment.ts'
import type { Checked, ConfigSource, ValidConfig } from './check-config.ts'
import type { CmsOptions } from './cms.ts'
import { copyContent } from './content-copies.ts'
import type { Service } from './open-service.ts'

export interface KeptStart {
  readonly checked: Checked & ValidConfig
  readonly content: Snapshot
  /** Gives everything that was written with the time of the start this time. `moment`: epoch milliseconds. */
  moveTo(moment: number, service: Service): Promise<void>
}

interface Kept extends KeptStart {
  readonly moment: number
  /** Whether another moment would have made other content. */
  readonly dependsOnTime: () => boolean
}

/** Bytes. */
const BUDGET = 64 * 1024 * 1024
/** Bytes of a configuration and its model for each character of the text. */
const PER_CHARACTER = 50

const starts = new BoundedCache<Kept>({ budget: BUDGET })
const running = new Map<string, Promise<unknown>>()

/** Undefined where a start must not be kept: the program's functions may keep state, and a log is to be written. */
export function startKey(
  from: ConfigSource,
  options: CmsOptions & Required<Pick<CmsOptions, 'env'>>,
): string | undefined {
  const { env, database, testing = false, watch: _, transport: __, clock: ___, ...others } = options
  if (Object.values(others).some((option) => option !== undefined)) return undefined
  return exactKey([from, process.cwd(), { ...env }, database, testing])
}

/** Runs a task when no other one of the key runs, so that of many at once the first is kept for the others. */
export async function oneAtATime<T>(key: string, task: () => Promise<T>): Promise<T> {
  const before = running.get(key)
  if (before === undefined || starts.get(key) !== undefined) {
    const own = task()
    if (before === undefined) {
      running.set(key, own)
      own.finally(() => running.delete(key)).catch(() => {})
    }
    return own
  }
  await before.catch(() => {})
  return task()
}

/** `moment`: epoch milliseconds. */
export async function findStart(
  key: string,
  from: ConfigSource,
  moment: number,
): Promise<KeptStart | undefined> {
  const kept = starts.get(key)
  if (kept === undefined || (moment !== kept.moment && kept.dependsOnTime())) return undefined
  return (await readHash(from, kept.checked.files)) === kept.checked.hash ? kept : undefined
}

export interface Started {
  readonly checked: Checked & ValidConfig
  /** The time of everything that the start has written, in epoch milliseconds. */
  readonly moment: number
  readonly service: Service
}

/** Keeps a start in memory, unless users' code ran in it or `data` named files, which might be others by now. */
export async function keepStart(key: string, { checked, moment, service }: Started): Promise<void> {
  const { config, model, own } = checked
  const { database, outbox, live } = service
  if (database.copies === undefined || own.code !== noUserCode || outbox.mails.length > 0) return
  if (model.fileType !== undefined && (await live.current.content.findAll(model.fileType, {})).length > 0)
    return
  const content = copyContent(service)
  const bytes = content.pages.reduce((sum, page) => sum + page.length, 0)
  const { layout } = live.current
  let columns: readonly MomentColumn[] | undefined
  let depends: boolean | undefined
  const kept: Kept = {
    checked,
    content,
    moment,
    dependsOnTime() {
      depends ??= mentionsTime([config.data, config.contentTypes, config.components], moment)
      return depends
    },
    async moveTo(to, { database: copy }) {
      if (to === moment) return
      columns ??= await columnsWith(copy, layout, moment)
      await moveMoments(copy, columns, moment, to)
    },
  }
  starts.set(key, kept, bytes + checked.size * PER_CHARACTER)
}

/** Whether a value is relative to the start, an expression asks for the time, or a value is that moment itself. */
function mentionsTime(value: unknown, moment: number): boolean {
  if (typeof value === 'string')
    return /\bnow\b/.test(value) || relativeMoment(value, 0) !== undefined || Date.parse(value) === moment
  if (Array.isArray(value)) return value.some((one) => mentionsTime(one, moment))
  return isRecord(value) && Object.values(value).some((one) => mentionsTime(one, moment))
}
