// Opens a CMS within this process.

import { resolve } from 'node:path'
import { databaseClients } from '../config/database-clients.ts'
import { createClock } from '../lib/clock.ts'
import { warmDatabase } from '../storage/open-database.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { type CheckOptions, type ConfigSource, checkConfig, isValid } from './check-config.ts'
import type { Cms, CmsOptions } from './cms.ts'
import { buildConfigError, type OpenedCms, openCms } from './open-cms.ts'
import type { FileToolsSettings } from './open-file-tools.ts'

export type { Cms, CmsOptions } from './cms.ts'

/** Rejects with ConfigError, whose message is the report. */
export async function createCms(
  source: string | Readonly<Record<string, unknown>>,
  options: CmsOptions = {},
): Promise<Cms> {
  return (await openCmsFor(source, options)).cms
}

/** For the command line, which gives agents more than a program has. */
export async function openCmsFor(
  source: string | Readonly<Record<string, unknown>>,
  options: CmsOptions,
  fileTools?: FileToolsSettings,
): Promise<OpenedCms> {
  const from: ConfigSource = typeof source === 'string' ? { file: resolve(source) } : { object: source }
  const given = { ...options, env: options.env ?? process.env }
  // Most databases are in memory: SQLite is compiled while the configuration is read.
  if (options.database === undefined || !databaseClients[options.database.client ?? 'memory'].keepsContent)
    warmDatabase()
  const check: CheckOptions = {
    env: given.env,
    modules: createUserModules(),
    code: {
      ...(options.policies === undefined ? {} : { policies: options.policies }),
      ...(options.middlewares === undefined ? {} : { middlewares: options.middlewares }),
    },
    registers: options.register !== undefined,
    ...(options.database === undefined ? {} : { overrides: { database: options.database } }),
  }
  const opening = { from, check, options: given, clock: createClock(options.clock), readAt: Date.now() }
  const checked = await checkConfig(from, check)
  if (!isValid(checked)) throw buildConfigError(checked, checked.diagnostics)
  if (options.testing === true && checked.config.server.environment === 'production')
    throw new TypeError('createCms: "testing" makes passwords easy to break, so it is refused in production')
  return openCms({ ...opening, checked, fileTools })
}
