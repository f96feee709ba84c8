import { describe, expect, test } from 'vitest'
import { type AttemptStore, createMemoryAttempts } from '../../../src/access/attempt-store.ts'
import { buildAddressBucket, createRateLimit } from '../../../src/access/rate-limit.ts'
import { attemptTable } from '../../../src/access/stored/attempt-table.ts'
import { createStoredAttempts } from '../../../src/access/stored/stored-attempts.ts'
import { ApiError } from '../../../src/lib/errors/api-error.ts'
import { run } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { makeTables } from '../../../src/storage/make-tables.ts'

const DAY = 86_400_000

/** Some moment that is not the first there is. */
const START = 20_000 * DAY

function limitOn(store: AttemptStore) {
  const clock = { now: START }
  return { clock, limit: createRateLimit({ interval: 60_000, max: 3, store, now: () => clock.now }) }
}

async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'taken'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${error.status} after ${error.headers?.['retry-after']}`
  }
}

describe.each([
  ['in memory', async () => createMemoryAttempts()],
  ['in a database', stored],
] as const)('%s', (_, store) => {
  const opened = async () => limitOn(await store())

  test('so many in a window, then the time until the next one', async () => {
    const { clock, limit } = await opened()
    const at = (moment: number) => {
      clock.now = START + moment
      return outcome(() => limit.take('login', '10.0.0.1', 'alice'))
    }
    expect([await at(0), await at(10_000), await at(20_000)]).toEqual(['taken', 'taken', 'taken'])
    expect(await at(30_000)).toBe('429 after 30')
    expect(await at(59_999)).toBe('429 after 1')
    expect(await at(60_000)).toBe('taken')
    expect(await at(60_001)).toBe('429 after 10')
  })

  test('a try that is given back does not count, nor does its address', async () => {
    const { limit } = await opened()
    const take = () => outcome(() => limit.take('login', '10.0.0.1', 'alice'))
    for (let count = 0; count < 100; count++) {
      expect(await take()).toBe('taken')
      await limit.giveBack('login', '10.0.0.1', 'alice')
    }
    expect([await take(), await take(), await take(), await take()]).toEqual([
      'taken',
      'taken',
      'taken',
      '429 after 60',
    ])
    expect(await limit.giveBack('login', '10.0.0.1', 'alice')).toMatchObject({ 'x-ratelimit-remaining': '1' })
    expect([await take(), await take()]).toEqual(['taken', '429 after 60'])
  })

  test('what is left, and when there is more', async () => {
    const { clock, limit } = await opened()
    const at = async (moment: number) => {
      clock.now = START + moment
      const headers = await limit.take('login', '10.0.0.1', 'alice').catch((error: ApiError) => error.headers)
      return [headers?.['x-ratelimit-remaining'], Number(headers?.['x-ratelimit-reset']) - START / 1000]
    }
    expect([await at(0), await at(10_000), await at(20_000)]).toEqual([
      ['2', 60],
      ['1', 60],
      ['0', 60],
    ])
    expect(await at(30_000)).toEqual(['0', 60])
    expect(await at(60_001)).toEqual(['0', 70])
    expect(await at(200_000)).toEqual(['2', 260])
  })

  describe('one bucket', () => {
    test.each([
      ['case and blanks of the name', ['login', '10.0.0.1', ' ALICE ']],
      ['the same /64', ['login', '2001:db8:0:1::1', 'alice'], ['login', '2001:db8:0:1:ffff::2', 'alice']],
    ])('%s', async (_, one, other = ['login', '10.0.0.1', 'alice']) => {
      const { limit } = await opened()
      const take = ([route = '', address = '', name = '']: readonly string[]) =>
        outcome(() => limit.take(route, address, name))
      expect([await take(one), await take(other), await take(one)]).toEqual(['taken', 'taken', 'taken'])
      expect(await take(other)).toBe('429 after 60')
    })
  })

  test.each([
    ['another name', 'login', '10.0.0.1', 'bob'],
    ['another address', 'login', '10.0.0.2', 'alice'],
    ['another route', 'register', '10.0.0.1', 'alice'],
  ])('%s has its own', async (_, route, address, name) => {
    const { limit } = await opened()
    for (let index = 0; index < 3; index++) await limit.take('login', '10.0.0.1', 'alice')
    expect(await outcome(() => limit.take('login', '10.0.0.1', 'alice'))).toBe('429 after 60')
    expect(await outcome(() => limit.take(route, address, name))).toBe('taken')
  })

  test('a refusal holds for the limit that it was made under', async () => {
    const common = await store()
    const { limit } = limitOn(common)
    const wider = createRateLimit({ interval: 60_000, max: 5, store: common, now: () => START })
    const take = (one: typeof limit) => outcome(() => one.take('login', '10.0.0.1', 'alice'))
    for (let index = 0; index < 3; index++) await take(limit)
    expect(await take(limit)).toBe('429 after 60')
    expect([await take(wider), await take(wider)]).toEqual(['taken', 'taken'])
    expect([await take(wider), await take(limit)]).toEqual(['429 after 60', '429 after 60'])
  })

  test('one address cannot try any number of names', async () => {
    const { limit } = await opened()
    const taken: string[] = []
    for (let index = 0; index < 200; index++)
      taken.push(await outcome(() => limit.take('login', '10.0.0.1', `user${index}`)))
    expect(taken.filter((one) => one === 'taken')).toHaveLength(60)
  })
})

describe('in a database', () => {
  test('a full bucket is refused without asking, what ended is forgotten', async () => {
    const database = await MemoryDatabase.open({})
    await makeTables(database, [attemptTable])
    let asked = 0
    const counted = Object.create(database, {
      transaction: {
        value: (work: Parameters<typeof database.transaction>[0]) => {
          asked += 1
          return database.transaction(work)
        },
      },
    })
    const { clock, limit } = limitOn(createStoredAttempts(counted))
    const take = () => outcome(() => limit.take('login', '10.0.0.1', 'alice'))
    for (let n = 0; n < 4; n++) await take()
    const before = asked
    for (let n = 0; n < 1000; n++) expect(await take()).toBe('429 after 60')
    expect(asked).toBe(before)
    clock.now += DAY
    await limit.take('login', '10.0.0.2', 'bob')
    const everything = { text: 'select bucket, moments from cms_run_tries', returns: true }
    const rows = await database.read(() => run(everything, []))
    expect(rows).toHaveLength(2)
    // Whose they are is not said.
    expect(JSON.stringify(rows)).not.toMatch(/bob|10\.0|alice/)
  })

  test('two processes count together', async () => {
    const database = await MemoryDatabase.open({})
    await makeTables(database, [attemptTable])
    const [one, two] = [limitOn(createStoredAttempts(database)), limitOn(createStoredAttempts(database))]
    const take = ({ limit }: typeof one) => outcome(() => limit.take('login', '10.0.0.1', 'alice'))
    expect([await take(one), await take(two), await take(one)]).toEqual(['taken', 'taken', 'taken'])
    expect([await take(two), await take(one)]).toEqual(['429 after 60', '429 after 60'])
  })
})

async function stored(): Promise<AttemptStore> {
  const database = await MemoryDatabase.open({})
  await makeTables(database, [attemptTable])
  return createStoredAttempts(database)
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the bucket of %s', (address, bucket) => {
  expect(buildAddressBucket(address)).toBe(bucket)
})
