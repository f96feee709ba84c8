// A configuration -> how its tables are migrated: what may be dropped, where a column stands in the file, and what
// entries that are there get in new columns of the runtime's own.

import type { Config } from '../config/config.ts'
import type { MigrationOptions } from '../databases/migrate.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Model } from '../model/model.ts'

const SYSTEM_MOMENTS: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'published_at'])

export function migrationOptions(config: Config, model: Model): MigrationOptions {
  return {
    destructive: config.database.migrations.destructive,
    pathOf: (origin) => originPath(config, origin),
    // Entries that are there when a type gets drafts stay published; nothing vanishes from the answers.
    fillGaps: (table, column) => standardLocaleOf(model, table.name, column.name),
    fill: (table, column) => {
      if (SYSTEM_MOMENTS.has(column.name)) return Date.now()
      return standardLocaleOf(model, table.name, column.name)
    },
  }
}

/** Entries that are there when a type gets locales are in the standard one. */
function standardLocaleOf(model: Model, table: string, column: string): string | undefined {
  for (const { collectionName, locale } of model.contentTypes.values()) {
    if (collectionName === table && locale?.column === column) return String(locale.default)
  }
  return undefined
}

/** Where in the file a column comes from: `api::article.article.title` -> contentTypes, article, attributes, title. */
function originPath(config: Config, origin: string): DiagnosticPath {
  const whole = config.contentTypes[origin]?.sourceKey
  if (whole !== undefined) return ['contentTypes', whole]
  if (config.components[origin] !== undefined) return ['components', origin]
  const dot = origin.lastIndexOf('.')
  const uid = dot < 0 ? origin : origin.slice(0, dot)
  const attribute = origin.slice(dot + 1)
  const type = config.contentTypes[uid]
  if (type !== undefined) return ['contentTypes', type.sourceKey, 'attributes', attribute]
  const component = config.components[uid]
  if (component !== undefined) return ['components', component.sourceKey, 'attributes', attribute]
  return []
}
