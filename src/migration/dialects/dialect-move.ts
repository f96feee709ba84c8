// How a migration moves content that was written in the other dialect.

import type { Config } from '../../config/config.ts'
import type { DialectMove } from '../../databases/check-dialect.ts'
import type { Model } from '../../model/model.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { moveToDocuments } from './move-to-documents.ts'
import { moveToEntries } from './move-to-entries.ts'
import { twoDialects } from './two-dialects.ts'

/** The models and statements are made when a database needs them. */
export function dialectMove(config: Config, model: Model): (database: Dialect) => DialectMove {
  return (database) => {
    const both = twoDialects(config, model, database)
    return model.dialect.documents
      ? moveToDocuments(both)
      : moveToEntries(both, config.database.migrations.destructive === 'apply')
  }
}
