// A database file for tests, and all its rows kept in a second file and put back from there, for tests that begin
// with the same content.

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'

/** In memory where the system offers that: these tests are not about the disk. */
const DIRECTORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
/** A database sees after 10 ms what another program wrote into its file. */
const SEEN = 15

export async function makeTestFile(): Promise<{ readonly filename: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(join(DIRECTORY, 'cms-file-'))
  return {
    filename: join(directory, 'cms.db'),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** What it answers puts the rows back; columns and tables that came meanwhile stay, empty. */
export async function keepFile(filename: string): Promise<() => Promise<void>> {
  const libsql = await loadLibsql()
  const database = libsql.open(filename)
  const kept = `${filename}.kept`
  database.exec(`vacuum into '${kept}'`)
  database.exec(`attach '${kept}' as kept`)
  for (const pragma of ['foreign_keys = off', 'synchronous = off', 'busy_timeout = 5000'])
    database.prepare(`pragma ${pragma}`).run([])
  const texts = (text: string): string[] =>
    database
      .prepare(text)
      .raw()
      .all([])
      .map(([name]) => String(name))
  const tablesOf = (schema: string): string[] =>
    texts(
      `select name from ${schema}.sqlite_schema where type = 'table' and name not in ('cms_run_layout', 'sqlite_stat1')`,
    )
  const columns = new Map(
    tablesOf('kept').map((table) => [
      table,
      texts(`select '"' || name || '"' from pragma_table_info('${table}', 'kept')`).join(', '),
    ]),
  )
  return async () => {
    const restoring = tablesOf('main').flatMap((table) => {
      const names = columns.get(table)
      const filling = `insert into main."${table}" (${names}) select ${names} from kept."${table}"`
      return [`delete from main."${table}"`, ...(names === undefined ? [] : [filling])]
    })
    database.exec(['begin immediate', ...restoring, 'commit'].join(';\n'))
    await wait(SEEN)
  }
}
