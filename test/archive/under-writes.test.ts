// An archive is one state of the database: while others write, it holds no link without both of its ends.

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { everyPermission } from '../../src/access/principal.ts'
import type { App } from '../../src/app/app.ts'
import { checkConfig, isValid } from '../../src/app/check-config.ts'
import type { Environment } from '../../src/app/environment.ts'
import { open } from '../../src/app/main.ts'
import { waitForTurn } from '../../src/lib/next-turn.ts'
import { createLog } from '../../src/observe/log/create-log.ts'
import { exportArchive } from '../../src/storage/archive/export-archive.ts'
import { importArchive } from '../../src/storage/archive/import-archive.ts'
import type { Database } from '../../src/storage/database.ts'
import { readRows, readShownLayout } from '../../src/storage/read-tables.ts'
import { clients, newDatabase, opened } from './databases-here.ts'
import { inFile, newFolder } from './in-file.ts'

const WRITERS = 8
const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })

/** The table of articles is read before the one of tags, and the links come last. */
const content = `contentTypes:
  article: { title: string, text: text, tags: [tag] }
  tag: { name: string }
`

test.each(clients)('from %s while others write: every link leads to an entry', async (client) => {
  const opened = await serve(client)
  let stopped = false
  let written = 0
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; !stopped; round++) {
      await writeLinked(opened.app, `${writer}-${round}`)
      written += 1
      await waitForTurn()
    }
  }
  const exportThree = async (): Promise<void> => {
    for (let archives = 0; archives < 3; archives++) {
      const before = written
      while (written < before + 50 && !stopped) await waitForTurn()
      const atStart = written
      const rows = await archiveOf(opened.environment.database)
      expect(rows['tags']).toBeGreaterThanOrEqual(atStart)
      expect(rows['articles_tags_links']).toBe(rows['articles'])
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  const all = Promise.all(writers).catch((error: unknown) => {
    stopped = true
    throw error
  })
  await Promise.all([all, exportThree().finally(() => (stopped = true))])
})

async function serve(
  client: (typeof clients)[number],
): Promise<{ readonly app: App; readonly environment: Environment }> {
  const overrides = { database: await newDatabase(client) }
  const checked = await checkConfig({ file: inFile(content) }, { env: {}, overrides })
  if (!isValid(checked)) throw new Error('the configuration has a fault')
  const opened = await open(checked, log)
  if ('diagnostics' in opened) throw new Error('the configuration cannot be opened')
  onTestFinished(() => opened.environment.close())
  return opened
}

async function writeLinked({ content, model }: App, name: string): Promise<void> {
  const [article, tag] = ['article', 'tag'].map((one) => model.contentTypes.get(`api::${one}.${one}`))
  if (article === undefined || tag === undefined) throw new Error('a content-type is missing')
  const options = { params: {}, access: everyPermission, by: undefined }
  const { entry } = await content.create(tag, { name }, options)
  await content.create(article, { title: name, text: name.repeat(100), tags: [entry.row[entry.at]] }, options)
}

/** Exports, imports, and checks each link of what arrived. Returns how many rows each table has. */
async function archiveOf(database: Database): Promise<Readonly<Record<string, number>>> {
  const archive = join(newFolder(), 'one.tar.gz')
  const now = new Date('2026-01-02T03:04:05.678Z')
  const done = await exportArchive({ database, files: undefined, to: archive, version: '1.2.3', now })
  const target = await opened(await newDatabase('memory'))
  await importArchive({ archive, database: target, files: undefined, replace: false })
  const ids = async (table: string, column: string): Promise<readonly unknown[]> => {
    const found = (await readShownLayout(target))?.tables.get(table)
    if (found === undefined) throw new Error(`no table ${table}`)
    const at = found.columns.findIndex(({ name }) => name === column)
    const values: unknown[] = []
    for await (const rows of readRows(target, found)) values.push(...rows.map((row) => row[at]))
    return values
  }
  for (const [table, column] of [
    ['articles', 'source_id'],
    ['tags', 'target_id'],
  ] as const) {
    const there = new Set(await ids(table, 'id'))
    expect((await ids('articles_tags_links', column)).filter((id) => !there.has(id))).toEqual([])
  }
  return done?.rows ?? {}
}
