import { describe, expect, test } from 'vitest'
import { addressBucket, createRateLimit } from '../../../src/auth/rate-limit.ts'
import { ApiError } from '../../../src/errors/api-error.ts'

function limitAt(start = 0) {
  const clock = { now: start }
  return { clock, limit: createRateLimit({ interval: 60_000, max: 3, now: () => clock.now }) }
}

async function outcome(work: () => Promise<void>): Promise<string> {
  try {
    await work()
    return 'taken'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return `${error.status} after ${error.headers?.['retry-after']}`
  }
}

test('so many in a window, then the time until the next one', async () => {
  const { clock, limit } = limitAt()
  const at = (moment: number) => {
    clock.now = moment
    return outcome(() => limit.take('login', '10.0.0.1', 'alice'))
  }
  expect([await at(0), await at(10_000), await at(20_000)]).toEqual(['taken', 'taken', 'taken'])
  expect(await at(30_000)).toBe('429 after 30')
  expect(await at(59_999)).toBe('429 after 1')
  expect(await at(60_000)).toBe('taken')
  expect(await at(60_001)).toBe('429 after 10')
})

describe('one bucket', () => {
  test.each([
    ['case and blanks of the name', ['login', '10.0.0.1', ' ALICE ']],
    ['the same /64', ['login', '2001:db8:0:1::1', 'alice'], ['login', '2001:db8:0:1:ffff::2', 'alice']],
  ])('%s', async (_, one, other = ['login', '10.0.0.1', 'alice']) => {
    const { limit } = limitAt()
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
  const { limit } = limitAt()
  for (let index = 0; index < 3; index++) await limit.take('login', '10.0.0.1', 'alice')
  expect(await outcome(() => limit.take('login', '10.0.0.1', 'alice'))).toBe('429 after 60')
  expect(await outcome(() => limit.take(route, address, name))).toBe('taken')
})

test('one address cannot try any number of names', async () => {
  const { limit } = limitAt()
  const taken = await Promise.all(
    Array.from({ length: 200 }, (_, index) => outcome(() => limit.take('login', '10.0.0.1', `user${index}`))),
  )
  expect(taken.filter((one) => one === 'taken')).toHaveLength(60)
})

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '0:0:0:0'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the bucket of %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket)
})
