// Opens a CMS within this process, for tests and other programs: from a file or an object, or quickly, as a copy of the
// start of an earlier instance of the same.

import { resolve } from 'node:path'
import { warmDatabase } from '../databases/open-database.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { createClock } from '../util/clock.ts'
import { type CheckOptions, type ConfigSource, checkConfig, isValid } from './check-config.ts'
import type { Cms, CmsOptions } from './cms.ts'
import { findStart, keepStart, oneAtATime, startKey } from './kept-starts.ts'
import { configErrorOf, openCms } from './open-cms.ts'

export type { Cms, CmsOptions } from './cms.ts'

/** Opens a CMS from a file or an object. When it has errors, rejects with ConfigError, whose message is the report. */
export async function createCms(
  source: string | Readonly<Record<string, unknown>>,
  options: CmsOptions = {},
): Promise<Cms> {
  const from: ConfigSource = typeof source === 'string' ? { file: resolve(source) } : { object: source }
  const given = { ...options, env: options.env ?? process.env }
  // Most databases are in memory: SQLite is compiled beside the reading of the configuration (decision 0329).
  if (options.database === undefined || options.database.client === 'memory')
    warmDatabase(options.testing !== true)
  const key = startKey(from, given)
  return key === undefined ? openFrom(from, given) : oneAtATime(key, () => openFrom(from, given, key))
}

type Given = CmsOptions & Required<Pick<CmsOptions, 'env'>>

async function openFrom(from: ConfigSource, options: Given, key?: string): Promise<Cms> {
  const check: CheckOptions = {
    env: options.env,
    modules: createUserModules(),
    code: {
      ...(options.policies === undefined ? {} : { policies: options.policies }),
      ...(options.middlewares === undefined ? {} : { middlewares: options.middlewares }),
    },
    registers: options.register !== undefined,
    ...(options.database === undefined ? {} : { overrides: { database: options.database } }),
  }
  const opening = { from, check, options, clock: createClock(options.clock), readAt: Date.now() }
  const { clock } = opening
  const kept = key === undefined ? undefined : await findStart(key, from, clock.now().getTime())
  if (kept !== undefined) {
    const { cms, service } = await openCms({ ...opening, checked: kept.checked, content: kept.content })
    await kept.moveTo(clock.now().getTime(), service)
    return cms
  }
  const checked = await checkConfig(from, check)
  if (!isValid(checked)) throw configErrorOf(checked, checked.diagnostics)
  if (options.testing === true && checked.config.server.environment === 'production')
    throw new TypeError('createCms: "testing" makes passwords easy to break, so it is refused in production')
  if (key === undefined) return (await openCms({ ...opening, checked })).cms
  // Everything that is written with the time of the start has the same time.
  return clock.standStill(async (moment) => {
    const { cms, service } = await openCms({ ...opening, checked })
    await keepStart(key, { checked, moment, service })
    return cms
  })
}
