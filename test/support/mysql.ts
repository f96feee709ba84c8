// The MySQL or MariaDB server that tests use: `CMS_TEST_MYSQL`, or the one on this machine.

import { randomBytes } from 'node:crypto'
import mysql from 'mysql2/promise'
import { findServer } from './find-server.ts'

const LOCAL = 'mysql://root@127.0.0.1:3306/'

let found: Promise<string | undefined> | undefined

/** The server's URL, or undefined where there is none and none is needed. */
export function mysqlHere(): Promise<string | undefined> {
  found ??= findServer({
    product: 'MySQL or MariaDB',
    variable: 'CMS_TEST_MYSQL',
    local: LOCAL,
    ask: (url) => askMysql(url, 'select 1'),
  })
  return found
}

/** Rows of one statement on a connection of its own. */
export async function askMysql(url: string, text: string): Promise<readonly (readonly unknown[])[]> {
  const connection = await mysql.createConnection({ uri: url, rowsAsArray: true, connectTimeout: 3000 })
  try {
    const [rows] = await connection.query<mysql.RowDataPacket[][]>(text)
    return rows
  } finally {
    await connection.end()
  }
}

export interface TestMysql {
  readonly connection: string
  readonly database: string
  drop(): Promise<void>
}

/** An empty database of one's own. */
export async function openTestMysql(url: string): Promise<TestMysql> {
  const database = `cms_test_${randomBytes(6).toString('hex')}`
  await askMysql(url, `create database ${database}`)
  return {
    connection: new URL(database, url).toString(),
    database,
    drop: async () => {
      await askMysql(url, `drop database if exists ${database}`)
    },
  }
}
