import { expect, test } from 'vitest'
import { tokenUseTable } from '../../../src/access/stored/token-use-table.ts'
import { createTokenUses, readTokenUses } from '../../../src/access/stored/token-uses.ts'
import type { Database } from '../../../src/storage/database.ts'
import { MemoryDatabase } from '../../../src/storage/drivers/memory/memory-database.ts'
import { makeTables } from '../../../src/storage/make-tables.ts'

const MINUTE = 60_000

async function open() {
  const database = await MemoryDatabase.open({})
  await makeTables(database, [tokenUseTable])
  let moment = 1_800_000_000_000
  let transactions = 0
  const counted: Database = Object.create(database, {
    transaction: {
      value: (...args: Parameters<Database['transaction']>) => {
        transactions += 1
        return database.transaction(args[0])
      },
    },
  })
  const told: unknown[] = []
  const log = { info: (...line: unknown[]) => told.push(line), warn: (...line: unknown[]) => told.push(line) }
  const uses = createTokenUses(counted, { log, now: () => moment })
  return {
    database,
    uses,
    told,
    pass: (milliseconds: number) => {
      moment += milliseconds
    },
    now: () => moment,
    transactions: () => transactions,
  }
}

test('a token is written down at its first use, then once a minute at most, and behind the answer', async () => {
  const { database, uses, told, pass, now, transactions } = await open()
  for (let n = 0; n < 100; n++) uses.note('front-end')
  expect(transactions()).toBe(0)
  await uses.settled()
  expect(transactions()).toBe(1)
  const first = now()
  pass(MINUTE - 1)
  uses.note('front-end')
  await uses.settled()
  expect([transactions(), await readTokenUses(database)]).toEqual([1, new Map([['front-end', first]])])
  pass(1)
  uses.note('front-end')
  uses.note('other')
  await uses.settled()
  expect(transactions()).toBe(3)
  expect(await readTokenUses(database)).toEqual(
    new Map([
      ['front-end', now()],
      ['other', now()],
    ]),
  )
  expect(told).toHaveLength(2)
})

test('a database that fails is told to the log and to nobody else', async () => {
  const { database, uses, told } = await open()
  await database.close()
  uses.note('front-end')
  await uses.settled()
  expect(JSON.stringify(told)).toContain('could not be stored')
})

test('a database on which nothing ran yet knows no uses', async () => {
  expect(await readTokenUses(await MemoryDatabase.open({}))).toEqual(new Map())
})
