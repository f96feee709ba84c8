// Kysely's compiler for SQLite, with names in backticks: a name in double quotes that no table has is a string to
// SQLite, so that asking for a column that is gone would answer its name instead of failing.

import { SqliteQueryCompiler } from 'kysely'

export class SqliteCompiler extends SqliteQueryCompiler {
  protected override getLeftIdentifierWrapper(): string {
    return '`'
  }

  protected override getRightIdentifierWrapper(): string {
    return '`'
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return identifier.replaceAll('`', '``')
  }
}
