// All rows of a database, kept in a second one and put back from there, for tests that begin with the same content.

import mysql from 'mysql2/promise'

export interface KeptDatabase {
  restore(): Promise<void>
  close(): Promise<void>
}

interface KeptTable {
  readonly name: string
  readonly columns: string
  readonly next: number | undefined
}

export async function keepDatabase(connection: string, database: string): Promise<KeptDatabase> {
  const client = await mysql.createConnection({ uri: connection, multipleStatements: true })
  const kept = `${database}_kept`
  const rows = async (text: string) => (await client.query<mysql.RowDataPacket[]>(text))[0]
  const nextIds = async (): Promise<ReadonlyMap<string, number | undefined>> => {
    await client.query('set session information_schema_stats_expiry = 0').catch(() => {})
    const found = await rows(
      `select table_name as name, auto_increment as next from information_schema.tables where table_schema = '${database}'`,
    )
    return new Map(found.map(({ name, next }) => [name, next === null ? undefined : Number(next)]))
  }
  await client.query(`drop database if exists ${kept}; create database ${kept}`)
  await client.query("set foreign_key_checks = 0, sql_mode = concat(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')")
  const tables: KeptTable[] = []
  for (const [name, next] of await nextIds()) {
    const found = await rows(
      `select column_name as name from information_schema.columns where table_schema = '${database}' and table_name = '${name}' and extra not like '%GENERATED%' order by ordinal_position`,
    )
    const columns = found.map((column) => `\`${column['name']}\``).join()
    tables.push({ name, columns, next })
    await client.query(`create table ${kept}.\`${name}\` as select ${columns} from \`${name}\``)
  }
  const moving = tables.map(
    ({ name, columns }) =>
      `delete from \`${name}\`; insert into \`${name}\` (${columns}) select ${columns} from ${kept}.\`${name}\``,
  )
  return {
    restore: async () => {
      await client.query(['start transaction', ...moving, 'commit'].join('; '))
      const now = await nextIds()
      for (const { name, next } of tables)
        if (next !== undefined && now.get(name) !== next)
          await client.query(`alter table \`${name}\` auto_increment = ${next}`)
    },
    close: async () => {
      await client.query(`drop database if exists ${kept}`)
      await client.end()
    },
  }
}
