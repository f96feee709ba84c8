// All rows of a schema, kept in a second schema and put back from there, for tests that begin with the same content.

import pg from 'pg'

export interface KeptSchema {
  restore(): Promise<void>
  close(): Promise<void>
}

export async function keepSchema(connection: string, schema: string): Promise<KeptSchema> {
  const client = new pg.Client({ connectionString: connection })
  await client.connect()
  const kept = `${schema}_kept`
  const { rows } = await client.query<{ name: string; refers: boolean; sequence: string; last: string }>(
    `select c.relname as name, exists (select 1 from pg_constraint where conrelid = c.oid and contype = 'f') as refers,
       pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), 'id') as sequence,
       coalesce(pg_sequence_last_value(pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), 'id')::regclass), 0) as last
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relkind = 'r'`,
    [schema],
  )
  // Those that refer to others are emptied first and filled last.
  const tables = rows.sort((a, b) => Number(a.refers) - Number(b.refers))
  await client.query(`drop schema if exists "${kept}" cascade; create schema "${kept}"`)
  for (const { name } of tables)
    await client.query(`create table "${kept}"."${name}" as table "${schema}"."${name}"`)
  const emptying = [...tables].reverse().map(({ name }) => `delete from "${schema}"."${name}"`)
  const filling = tables.map(
    ({ name }) => `insert into "${schema}"."${name}" overriding system value table "${kept}"."${name}"`,
  )
  const counting = tables.map(({ sequence, last }) =>
    Number(last) === 0 ? `select setval('${sequence}', 1, false)` : `select setval('${sequence}', ${last})`,
  )
  const restoring = ['begin', ...emptying, ...filling, ...counting, 'commit'].join(';\n')
  return {
    restore: async () => {
      await client.query(restoring)
    },
    close: async () => {
      await client.query(`drop schema if exists "${kept}" cascade`)
      await client.end()
    },
  }
}
