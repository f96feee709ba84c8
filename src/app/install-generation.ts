// A generation -> its tables, its entries and users' `bootstrap`: what a start and a reload do before it takes requests.

import type { Database } from '../databases/database.ts'
import { applyMigration, makeRuntimeTables } from '../databases/migrate.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { migrationOptions } from '../migration/migration-options.ts'
import { reseed, seed } from '../seeding/seed-content.ts'
import type { Customization } from '../user-code/customize.ts'
import type { Generation } from './generation.ts'

/** Warnings that came up after the configuration was checked, or the errors that stop it. */
export interface Applied {
  readonly ok: boolean
  readonly diagnostics: readonly Diagnostic[]
}

export interface InstallOptions {
  /** The one that is served; undefined at a start. */
  readonly previous?: Generation
  /** Memory only: the content is put back to what `data` says. */
  readonly data?: boolean
  /** Users' `bootstrap` does not run. */
  readonly describes?: boolean
}

/** What is wrong leaves what the one before had. */
export async function installGeneration(
  database: Database,
  next: Generation,
  { bootstrap }: Pick<Customization, 'bootstrap'>,
  { previous, data = false, describes = false }: InstallOptions,
): Promise<Applied> {
  const { config, model, layout } = next
  const { ok, diagnostics } = await applyMigration(database, layout, migrationOptions(config, model))
  if (!ok) return { ok, diagnostics }
  if (previous === undefined) await makeRuntimeTables(database)
  await next.prepare()
  const before = data ? database.snapshot?.() : undefined
  const added = [...model.contentTypes.keys()].filter((uid) => !previous?.model.contentTypes.has(uid))
  const faults = data ? await reseed(config, model, next) : await seed(config, model, next, new Set(added))
  if (faults.length > 0) return { ok: false, diagnostics: faults }
  const failed = describes ? [] : await bootstrap()
  if (failed.length === 0) return { ok, diagnostics }
  if (before !== undefined) database.restore?.(before)
  return { ok: false, diagnostics: failed }
}
