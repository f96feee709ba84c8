// `unique`, `index` and `checks` of content-types, over each database: what stored entries allow, what concurrent writes
// get, and edits of the file while it is served.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'
import { serversHere } from '../support/servers.ts'
import { openTestDatabase, type TestDatabase } from '../support/test-database.ts'

const clients = ['memory', 'sqlite', ...(await serversHere())] as const

function configWith(sets: string, data = ''): string {
  return `contentTypes:
  venue: { attributes: { name: string } }
  event:
${sets}
    attributes:
      day: date
      hour: integer
      venue: { type: relation, relation: manyToOne, target: api::venue.venue }
auth: { roles: { public: { permissions: ['event.*', 'venue.*'] } } }
${data}`
}

const DATA = `data:
  venue: [{ id: 1, name: North }]
  event:
    - { id: 1, day: 2024-06-01, hour: 6, venue: 1 }
    - { id: 2, day: 2024-06-01, hour: 7, venue: 1 }
    - { id: 3, day: 2024-06-01, hour: 6 }
`

let database: TestDatabase
let cms: Cms | undefined

afterEach(async () => {
  await cms?.close()
  cms = undefined
  await database.drop()
})

async function open(client: (typeof clients)[number], text: string) {
  database = await openTestDatabase(client as 'memory')
  const file = join(mkdtempSync(join(tmpdir(), 'cms-run-sets-')), 'cms.yaml')
  writeFileSync(file, text)
  const log: string[] = []
  const opened = await createCms(file, { env: {}, ...database.options, log: (line) => void log.push(line) })
  cms = opened
  return {
    log,
    async write(next: string): Promise<string | undefined> {
      writeFileSync(file, next)
      try {
        await opened.reload()
        return undefined
      } catch (error) {
        return String(error)
      }
    },
    async post(data: object): Promise<number> {
      const body = JSON.stringify({ data })
      const headers = { 'content-type': 'application/json' }
      return (await opened.fetch('/api/events', { method: 'POST', headers, body })).status
    },
  }
}

describe.each(clients)('%s', (client) => {
  test('an edit is refused where entries have the values in common, and says which', async () => {
    const { write, post } = await open(client, configWith('', DATA))
    expect(await write(configWith('    unique: [[day, hour]]', DATA))).toMatch(
      /DBS005.*api::event\.event\.day with api::event\.event\.hour cannot be unique.*entries 1, 3/s,
    )
    expect(await write(configWith('    unique: [[venue, day]]', DATA))).toMatch(
      /DBS005.*api::event\.event\.venue with api::event\.event\.day cannot be unique.*entries 1, 2/s,
    )
    expect(await post({ day: '2024-06-01', hour: 6, venue: 1 })).toBe(200)
  })

  test('an edit that the entries allow holds from then on, until it is taken back', async () => {
    const { write, post } = await open(client, configWith('', DATA))
    const sets = '    unique: [[venue, hour], [day, hour, venue]]\n    index: [hour, [venue, day]]'
    expect(await write(configWith(sets, DATA))).toBeUndefined()
    expect(await post({ hour: 6, venue: 1 })).toBe(400)
    expect(await post({ hour: 8, venue: 1 })).toBe(200)
    expect(await write(configWith('', DATA))).toBeUndefined()
    expect(await post({ hour: 6, venue: 1 })).toBe(200)
  })

  test('of concurrent writes with the same values one succeeds', async () => {
    const { post } = await open(
      client,
      configWith('    unique: [[day, hour], [day, venue]]', DATA.split('  event:')[0]),
    )
    for (const [day, values] of [
      ['2024-07-01', { hour: 9 }],
      ['2024-07-02', { venue: 1 }],
    ] as const) {
      const answers = await Promise.all(Array.from({ length: 12 }, () => post({ day, ...values })))
      expect(answers.sort()).toEqual([200, ...Array.from({ length: 11 }, () => 400)])
    }
  })

  test('a check that stored entries are against is a warning, and holds for what is written', async () => {
    const { write, post, log } = await open(client, configWith('', DATA))
    const checks = '    checks: [{ that: hour > 6, message: too early }, { that: hour < 24 }]'
    expect(await write(configWith(checks, DATA))).toBeUndefined()
    expect(log.join('\n')).toMatch(/DBS017.*this is false for 2 entries of api::event\.event/s)
    expect(log.join('\n').match(/DBS017/g)).toHaveLength(1)
    expect(await post({ hour: 5 })).toBe(400)
    expect(await post({ hour: 7, day: '2024-08-01' })).toBe(200)
  })

  test('a seed is refused with the entries that are not unique', async () => {
    await open(client, configWith(''))
    const file = join(mkdtempSync(join(tmpdir(), 'cms-run-sets-')), 'cms.yaml')
    for (const [set, message] of [
      ['unique: [[day, hour]]', /day and hour must be unique together/],
      ['unique: [[venue, day]]', /venue and day must be unique together/],
      ['checks: [{ that: hour > 6, message: too early }]', /too early/],
    ] as const) {
      writeFileSync(file, configWith(`    ${set}`, DATA))
      await expect(createCms(file, { env: {} })).rejects.toThrow(message)
    }
  })
})
