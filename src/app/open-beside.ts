// Opens the content of a file for one command, beside a server that may be using the database: hooks and
// recorders take part in its writes, but nothing is migrated, seeded or served.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Log } from '../observe/log/create-log.ts'
import { makeTables } from '../storage/make-tables.ts'
import { planMigration } from '../storage/migrate.ts'
import { createMigrationOptions } from '../storage/migration/migration-options.ts'
import type { Content } from '../write/content.ts'
import type { App } from './app.ts'
import type { ValidConfig } from './check-config.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { makeApp } from './make-app.ts'

type BesideResult =
  | { readonly content: Content; close(): Promise<void> }
  | { readonly diagnostics: readonly Diagnostic[] }
  /** The tables are those of another file, or of none. */
  | { readonly fits: false }

/** Users' `bootstrap` does not run, so that hooks which it subscribes take no part. */
export async function openBeside(valid: ValidConfig, log: Log): Promise<BesideResult> {
  const environment = await openEnvironment(valid.config, log, { alongside: true })
  if ('diagnostics' in environment) return environment
  const close = async (app?: App): Promise<void> => {
    await app?.retire()
    app?.dispose()
    await environment.close()
  }
  const { app, diagnostics } = await makeApp(valid, environment)
  if (app === undefined) {
    await close()
    return { diagnostics }
  }
  try {
    const misfit = await findMisfit(app, environment)
    if (misfit !== undefined) {
      await close(app)
      return misfit
    }
    // Roles that are new in the file become rows, as when another process starts.
    await environment.database.exclusively(async () => {
      await makeTables(environment.database, app.ownTables)
      await app.prepare()
    })
  } catch (error) {
    await close(app)
    throw error
  }
  valid.own.adopt()
  app.goLive()
  return { content: app.content, close: () => close(app) }
}

async function findMisfit(
  { config, model, layout }: App,
  { database }: Environment,
): Promise<Exclude<BesideResult, { content: Content }> | undefined> {
  const planned = await planMigration(database, layout, createMigrationOptions(config, model))
  const { ok, changes, moved, diagnostics } = planned
  if (!ok) return { diagnostics }
  return changes.length > 0 || moved.length > 0 ? { fits: false } : undefined
}
