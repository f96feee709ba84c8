// Changes of many entries on PostgreSQL, where writes run side by side: an entry that another transaction takes out of the
// filters meanwhile is left alone.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { openTestSchema, postgresHere, type TestSchema } from '../support/postgres.ts'

const postgres = await postgresHere()

describe.skipIf(postgres === undefined).each(['strapi-4', 'strapi-5'] as const)('%s', (dialect) => {
  let cms: Cms
  let schema: TestSchema
  beforeAll(async () => {
    if (postgres === undefined) return
    schema = await openTestSchema(postgres)
    cms = await createCms(
      { dialect, contentTypes: { job: { attributes: { state: 'string', note: 'string' } } } },
      {
        env: {},
        database: { client: 'postgres', connection: schema.connection, schema: schema.schema } as never,
      },
    )
  })
  afterAll(async () => {
    await cms?.close()
    await schema?.drop()
  })

  test.each(['updateMany', 'deleteMany'] as const)('%s', async (action) => {
    const jobs = cms.entries('job')
    const { id, documentId } = await jobs.create({ state: 'open', note: 'first' })
    await jobs.create({ state: 'open', note: 'second' })
    let finish: () => void = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    let begin: () => void = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const other = cms.transaction(async () => {
      await jobs.update((documentId as string | undefined) ?? id, { state: 'done' })
      begin()
      await finished
    })
    await begun
    const many =
      action === 'updateMany'
        ? jobs.updateMany({ state: 'open' }, { note: 'taken' })
        : jobs.deleteMany({ state: 'open' })
    // It has selected both, and waits for the first.
    await new Promise((resolve) => setTimeout(resolve, 300))
    finish()
    await other
    expect((await many).length).toBe(1)
    const left = (await jobs.findMany({ sort: 'id' })).map(({ state, note }) => `${state} ${note}`)
    expect(left).toEqual(
      action === 'updateMany' ? ['done first', 'open taken'] : ['done first', 'done first'],
    )
    await jobs.deleteMany({ note: 'taken' })
  })
})
