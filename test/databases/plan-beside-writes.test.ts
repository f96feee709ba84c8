// A plan beside a server whose transaction is open: neither waits for the other, and the plan counts the rows that are there.

import { describe, expect, test } from 'vitest'
import { checkConfig } from '../../src/app/check-config.ts'
import { createCms } from '../../src/index.ts'
import { planDatabase } from '../../src/storage/migration/plan-database.ts'
import { openServerPlace, type ServerClient, serversHere } from '../support/servers.ts'
import { makeTestFile } from '../support/sqlite-copy.ts'

async function makePlace(
  client: 'sqlite' | ServerClient,
): Promise<{ readonly database: object; drop(): Promise<void> }> {
  if (client === 'sqlite') {
    const { filename, remove } = await makeTestFile()
    return { database: { client, filename }, drop: remove }
  }
  return openServerPlace(client)
}

const now = { contentTypes: { note: { attributes: { text: 'string', size: 'string', gone: 'string' } } } }
const next = {
  contentTypes: {
    note: {
      attributes: {
        title: { type: 'string', renamedFrom: 'text', unique: true },
        size: { type: 'integer', unique: true },
      },
    },
  },
}

describe.each(['sqlite', ...(await serversHere())] as const)('%s', (client) => {
  test('a plan changes nothing and waits for no open transaction', async () => {
    const { database, drop } = await makePlace(client)
    const cms = await createCms({ ...now, database }, { env: {} })
    try {
      const notes = cms.entries('note')
      for (const size of ['1', '2', '3']) await notes.create({ text: `note ${size}`, size, gone: size })
      const { config, model } = await checkConfig({ object: { ...next, database } }, { env: {} })
      if (config === undefined || model === undefined) throw new Error('the configuration is not valid')
      const plan = await cms.transaction(async () => {
        await notes.create({ text: 'note 4', size: '4' })
        const planned = await planDatabase(config, model)
        await notes.create({ text: 'note 5', size: '5' })
        return planned
      })
      expect(plan.changes.map(({ text }) => text)).toEqual([
        'column notes.text is renamed to title with 3 values',
        'column notes.size from text to integer, 3 values',
        'column notes.gone is hidden, 3 values stay in the database',
        'title of notes must be unique',
        'size of notes must be unique',
      ])
      expect(await notes.count({})).toBe(5)
      await notes.create({ text: 'note 5', size: '05' })
      const refused = await planDatabase(config, model)
      expect(refused.outcome).toBe('refused')
      expect(refused.diagnostics.map(({ code }) => code).sort()).toEqual(['DBS002', 'DBS005'])
      expect(await notes.count({})).toBe(6)
    } finally {
      await cms.close()
      await drop()
    }
  })
})
