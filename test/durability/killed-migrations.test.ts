// A process is killed at a random statement of a migration between random models: afterwards the database is as it was, or as
// was planned, with every value, and the next start finishes the migration; where a transaction does not undo tables, it goes on
// in the middle. LONG=1 kills 500 on each database.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { applyMigration, planMigration } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { databaseConfig } from '../contract/database/database-config.ts'
import { layoutOf } from '../contract/database/model-layout.ts'
import { configOf, everything, fill, type Names, steps } from '../contract/database/random-models.ts'
import { mysqlHere, openTestMysql } from '../support/mysql.ts'
import { openTestSchema, postgresHere } from '../support/postgres.ts'
import { makeTestFile } from '../support/sqlite-copy.ts'
import { withoutUndo } from '../support/without-undo.ts'
import type { Death } from './migrate-and-die.ts'
import type { LastingClient } from './served.ts'

const here = await postgresHere()
const clients: (readonly [LastingClient, string])[] = [
  ['sqlite', 'as a whole or not at all'],
  ['sqlite', 'by steps'],
]
if (here !== undefined) clients.push(['postgres', 'as a whole or not at all'])
const mysql = await mysqlHere()
if (mysql !== undefined) clients.push(['mysql', 'by steps'])
const runs = process.env['LONG'] === '1' ? 500 : 6

let folder: string
let program: string
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.cms-run-deaths-'))
  program = join(folder, 'migrate-and-die.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'migrate-and-die.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Place {
  readonly config: Death['database']
  drop(): Promise<void>
}

async function makePlace(client: LastingClient): Promise<Place> {
  if (client === 'sqlite') {
    const { filename, remove } = await makeTestFile()
    return { config: { ...databaseConfig('sqlite'), filename }, drop: remove }
  }
  if (client === 'mysql') {
    const { connection, drop } = await openTestMysql(mysql ?? '')
    return { config: { ...databaseConfig('mysql'), connection }, drop }
  }
  const { connection, schema, drop } = await openTestSchema(here ?? '')
  return { config: { ...databaseConfig('postgres'), connection, schema }, drop }
}

async function withDatabase<T>({ config }: Place, run: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase(config, tmpdir())
  try {
    return await run(database)
  } finally {
    await database.close()
  }
}

async function migrateAndDie(death: Death): Promise<void> {
  const child = spawn(process.execPath, [program, JSON.stringify(death)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const [, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL') throw new Error(`it was not killed:\n${said}`)
}

describe.each(clients)('%s', (client, how) => {
  const bySteps = how === 'by steps'
  test(`a migration that is killed is made ${how}`, { timeout: 3_600_000 }, async () => {
    const states = { before: 0, within: 0, after: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 2, maxLength: 3 }),
        fc.nat(bySteps ? 120 : 60),
        fc.boolean(),
        async (models, after, soon) => {
          const [place, twin] = [await makePlace(client), await makePlace(client)]
          try {
            let previous: Names = { types: [], attributes: [] }
            for (const [number, step] of models.entries()) {
              const { config: model, names } = configOf(step, previous)
              const layout = await layoutOf(model)
              const options = { destructive: step.destructive } as const
              const migrate = (database: Database) =>
                database.exclusively(() => applyMigration(database, layout, options))
              if (number < models.length - 1) {
                for (const one of [place, twin])
                  await withDatabase(one, async (database) => {
                    if ((await migrate(database)).ok) await fill(database, layout, step.rows)
                  })
                previous = names
                continue
              }
              const [before, plan] = await withDatabase(
                place,
                async (database) =>
                  [await everything(database), await planMigration(database, layout, options)] as const,
              )
              const wanted = await withDatabase(twin, async (database) => {
                await migrate(database)
                return everything(database)
              })
              await migrateAndDie({ database: place.config, model, ...options, after, soon, bySteps })
              await withDatabase(place, async (opened) => {
                const database = bySteps && opened.dialect.undoesDefinitions ? withoutUndo(opened) : opened
                const planned = await planMigration(database, layout, options)
                const isWithin = bySteps && planned.diagnostics.some(({ code }) => code === 'DBS038')
                const found = isWithin ? wanted : await everything(database)
                if (isWithin) states.within += 1
                else if (planned.changes.length > 0 || !plan.ok) {
                  expect(found).toEqual(before)
                  expect(planned).toEqual(plan)
                  states[plan.ok ? 'before' : 'refused'] += 1
                } else {
                  expect(found).toEqual(wanted)
                  states.after += 1
                }
                expect((await migrate(database)).ok).toBe(plan.ok)
                expect(await everything(database)).toEqual(wanted)
              })
            }
          } finally {
            await place.drop()
            await twin.drop()
          }
        },
      ),
      { numRuns: runs },
    )
    if (runs > 100) {
      process.stdout.write(`${client}: ${JSON.stringify(states)}\n`)
      expect(Math.min(states.before, bySteps ? states.within : states.after)).toBeGreaterThan(0)
    }
  })
})
