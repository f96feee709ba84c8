// Derives the migration options of a configuration.

import type { Config } from '../../config/config.ts'
import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { Model } from '../../model/model.ts'
import type { ApiVersionMove } from '../check-api-version.ts'
import type { MigrationOptions } from '../migrate.ts'
import type { Dialect } from '../sql/dialect.ts'
import { moveToDocuments } from './api-versions/move-to-documents.ts'
import { moveToEntries } from './api-versions/move-to-entries.ts'
import { createTwoApiVersions, createVersionedContent } from './api-versions/two-api-versions.ts'
import { turnDrafts } from './drafts/turn-drafts.ts'

const SYSTEM_MOMENTS: ReadonlySet<string> = new Set(['created_at', 'updated_at', 'published_at'])

/** `unmovable`: why content of the other API version may not be moved now. */
export function createMigrationOptions(config: Config, model: Model, unmovable?: string): MigrationOptions {
  return {
    move: unmovable ?? createApiVersionMove(config, model),
    drafts(dialect, before, former) {
      const content = former ? createTwoApiVersions(config, model, dialect).former : undefined
      const createContent = () => content ?? createVersionedContent(model, dialect)
      return turnDrafts(config, content?.model ?? model, createContent, dialect, before)
    },
    destructive: config.database.migrations.destructive,
    buildPath: (origin) => originPath(config, origin),
    fillGaps: (table, column) => getStandardLocale(model, table.name, column.name),
    fill: (table, column) => {
      const isOfDrafts = column.name === 'published_at' && !model.apiVersion.documents
      if (SYSTEM_MOMENTS.has(column.name) && !isOfDrafts) return Date.now()
      return getStandardLocale(model, table.name, column.name)
    },
  }
}

/** Existing entries get the default locale when a type becomes localized. */
function getStandardLocale(model: Model, table: string, column: string): string | undefined {
  for (const { collectionName, locale } of model.contentTypes.values()) {
    if (collectionName === table && locale?.column === column) return String(locale.default)
  }
  return undefined
}

/** `api::article.article.title` -> contentTypes, article, attributes, title. */
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

function createApiVersionMove(config: Config, model: Model): (database: Dialect) => ApiVersionMove {
  return (database) => {
    const both = createTwoApiVersions(config, model, database)
    return model.apiVersion.documents
      ? moveToDocuments(both, database)
      : moveToEntries(both, database, config.database.migrations.destructive === 'apply')
  }
}
