// A `cms-run` process on a database that lasts, for tests that kill it.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadLibsql } from '../../src/storage/drivers/sqlite/open-file.ts'
import { mysqlHere, openTestMysql } from '../support/mysql.ts'
import { openTestSchema, postgresHere } from '../support/postgres.ts'

const bin = join(dirname(fileURLToPath(import.meta.url)), '../../bin/cms-run.js')

export type LastingClient = 'sqlite' | 'postgres' | 'mysql'

export interface Site {
  readonly file: string
  /** What is wrong with what a dead process left, where that can be seen before the next start. */
  examine(): Promise<readonly string[]>
  drop(): Promise<void>
}

/** A configuration file on an empty database of this kind. */
export async function openSite(client: LastingClient, yaml: string): Promise<Site> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-durability-'))
  const file = join(directory, 'cms.yaml')
  const remove = () => rm(directory, { recursive: true, force: true })
  if (client === 'sqlite') {
    await writeFile(file, `database: { client: sqlite, filename: cms.db }\n${yaml}`)
    return { file, examine: () => examineFile(join(directory, 'cms.db')), drop: remove }
  }
  const { section, drop } = await openPlace(client)
  await writeFile(file, `database: ${section}\n${yaml}`)
  return {
    file,
    examine: async () => [],
    drop: async () => {
      await drop()
      await remove()
    },
  }
}

async function openPlace(client: 'postgres' | 'mysql') {
  const here = await (client === 'postgres' ? postgresHere() : mysqlHere())
  if (here === undefined) throw new Error(`no server of ${client} answers`)
  if (client === 'mysql') {
    const { connection, drop } = await openTestMysql(here)
    return { section: `{ client: mysql, connection: '${connection}' }`, drop }
  }
  const { connection, schema, drop } = await openTestSchema(here)
  return { section: `{ client: postgres, connection: '${connection}', schema: ${schema} }`, drop }
}

async function examineFile(filename: string): Promise<readonly string[]> {
  const database = (await loadLibsql()).open(filename)
  try {
    const faults = ['integrity_check', 'foreign_key_check'].flatMap((check) =>
      database.prepare(`pragma ${check}`).raw().all([]),
    )
    return faults.map((row) => row.join(' ')).filter((fault) => fault !== 'ok')
  } finally {
    database.close()
  }
}

export interface Served {
  readonly url: string
  readonly child: ChildProcess
  /** When the process is gone. */
  readonly gone: Promise<void>
}

export async function serve(file: string): Promise<Served> {
  const child = spawn(process.execPath, [bin, file, '--no-watch', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  let output = ''
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk
      const found = /listening on (http:\S+?)"/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void gone.then(() => reject(new Error(`it did not start:\n${output}`)))
  })
  return { url, child, gone }
}

export async function send(
  url: string,
  method: string,
  data?: unknown,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url, {
    method,
    ...(data === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) }),
  })
  return { status: response.status, body: await response.json() }
}
