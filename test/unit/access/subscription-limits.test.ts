import { describe, expect, test } from 'vitest'
import { everyPermission, type Principal } from '../../../src/access/principal.ts'
import { createSubscriptionLimits } from '../../../src/access/subscription-limits.ts'

const limits = { connection: 2, caller: 3, server: 5, cost: 100 }
const nobody: Principal = { kind: 'public', name: 'public', permissions: everyPermission, source: '' }
const user = (id: number): Principal => ({ ...nobody, kind: 'user', name: 'authenticated', id })
const token = (name: string): Principal => ({ ...nobody, kind: 'api-token', name })

describe('what is open at the same time', () => {
  test('over one connection', () => {
    const connection = createSubscriptionLimits(limits).connect('10.0.0.1')
    const first = connection.open(nobody)
    connection.open(nobody)
    expect(() => connection.open(nobody)).toThrow(
      'This connection has 2 subscriptions open, which is the limit',
    )
    first.close()
    first.close()
    connection.open(nobody)
    expect(() => connection.open(nobody)).toThrow('This connection has 2')
  })

  const callers: readonly (readonly [name: string, address: string, principal: Principal][])[] = [
    [
      ['an address', '10.0.0.1', nobody],
      ['the same address', '10.0.0.1', nobody],
    ],
    [
      ['a user', '10.0.0.1', user(1)],
      ['the same user elsewhere', '10.0.0.2', user(1)],
    ],
    [
      ['a token', '10.0.0.1', token('a')],
      ['the same token elsewhere', '10.0.0.2', token('a')],
    ],
  ]
  test.each(callers)('of one caller: %s', ([, address, principal], [, elsewhere, again]) => {
    const all = createSubscriptionLimits(limits)
    const opened = [1, 2, 3].map(() => all.connect(address).open(principal))
    const refused = 'This caller has 3 subscriptions and streams open, which is the limit'
    expect(() => all.connect(elsewhere).open(again)).toThrow(refused)
    all.connect('10.0.0.9').open(user(9))
    opened[0]?.close()
    all.connect(elsewhere).open(again)
  })

  test('of all callers together', () => {
    const all = createSubscriptionLimits(limits)
    const opened = [1, 2, 3, 4, 5].map((id) => all.connect('10.0.0.1').open(user(id)))
    expect(() => all.connect('10.0.0.1').open(user(6))).toThrow('The server has 5')
    opened[0]?.close()
    all.connect('10.0.0.1').open(user(6))
  })
})

test('one event has a price for all that a caller has open, another event its own', () => {
  const all = createSubscriptionLimits(limits)
  const one = all.connect('10.0.0.1').open(nobody)
  const two = all.connect('10.0.0.1').open(nobody)
  const other = all.connect('10.0.0.2').open(nobody)
  const event = {}
  one.charge(event, 80, 0)
  two.assertAffordable(event)
  two.charge(event, 80, 0)
  expect(() => one.assertAffordable(event)).toThrow('One event costs 160 of 100 that are allowed')
  one.assertAffordable({})
  other.assertAffordable(event)
  // A read of a large content-type may cost more than the setting.
  one.charge(event, 1, 200)
  two.assertAffordable(event)
})
