// The PostgreSQL server that tests use: `CMS_TEST_POSTGRES`, or the one on this machine.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { findServer } from './find-server.ts'

const LOCAL = 'postgres://postgres@127.0.0.1:5432/postgres'

let found: Promise<string | undefined> | undefined

/** The server's URL, or undefined where there is none and none is needed. */
export function postgresHere(): Promise<string | undefined> {
  found ??= findServer({
    product: 'PostgreSQL',
    variable: 'CMS_TEST_POSTGRES',
    local: LOCAL,
    ask: (url) => ask(url, 'select 1'),
  })
  return found
}

/** Rows of one statement on a connection of its own. */
export async function ask(url: string, text: string): Promise<readonly unknown[][]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

export interface TestSchema {
  readonly connection: string
  readonly schema: string
  drop(): Promise<void>
}

/** A name for tables of one's own; the database makes the schema when it is opened. */
export async function openTestSchema(connection: string): Promise<TestSchema> {
  const schema = `cms_test_${randomBytes(6).toString('hex')}`
  return {
    connection,
    schema,
    drop: async () => {
      await ask(connection, `drop schema if exists "${schema}" cascade`)
    },
  }
}
