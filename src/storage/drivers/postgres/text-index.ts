// Indexes texts on PostgreSQL: trigrams of pg_trgm, over the text with the letters A to Z in lower case.

import { sql } from 'kysely'
import type { TextIndexes } from '../../sql/dialect.ts'

export const postgresTextIndex: TextIndexes = {
  obstacle: sql`select case when e.name is null then 'the server does not have the extension pg_trgm' else 'the extension pg_trgm is not installed in this database, and this user may not install it' end, case when e.name is null then 'install it on the server (Debian: postgresql-contrib), or take "index: text" out' else 'have someone who may run "create extension pg_trgm" in it, or take "index: text" out' end from (select 1) as one left join pg_available_extensions as e on e.name = 'pg_trgm' where e.installed_version is null and not (e.name is not null and ((select rolsuper from pg_roles where rolname = current_user) or (has_database_privilege(current_database(), 'create') and exists (select 1 from pg_available_extension_versions as v where v.name = e.name and v.version = e.default_version and v.trusted))))`,
  create(index, table, column) {
    // The extension belongs to the database, not to this schema, which may be dropped.
    const place = sql.lit('create index %I on %I using gin (lower(%I collate "C") %I.gin_trgm_ops)')
    return [
      sql`do $$ declare place text; begin if not exists (select 1 from pg_extension where extname = 'pg_trgm') then if to_regnamespace('public') is null then create extension if not exists pg_trgm; else create extension if not exists pg_trgm with schema public; end if; end if; select n.nspname into place from pg_extension as e join pg_namespace as n on n.oid = e.extnamespace where e.extname = 'pg_trgm'; execute format(${place}, ${sql.lit(index)}, ${sql.lit(table)}, ${sql.lit(column)}, place); end $$`,
    ]
  },
  drop: (index) => [sql`drop index ${sql.table(index)}`],
  list: undefined,
  count: undefined,
  candidate: (_index, _id, column, placeholder) =>
    sql`lower(${column} collate "C") like cast(${placeholder} as text)`,
  /** The only pattern that contains outside text: its three special characters are escaped. */
  encode: (term) => `%${lowerAscii(term).replaceAll(/[\\%_]/g, '\\$&')}%`,
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
