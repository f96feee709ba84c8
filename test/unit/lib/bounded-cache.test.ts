// Caches hold no more than their budget, and nothing that was asked for once.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedCache, RecentKeys } from '../../../src/lib/bounded-cache.ts'

test('what is offered once is not kept, what is offered twice is', () => {
  const cache = new BoundedCache<object>({ budget: 100 })
  const value = {}
  expect(cache.offer('a', value)).toBe(false)
  expect(cache.get('a')).toBeUndefined()
  expect(cache.offer('a', value)).toBe(true)
  expect(cache.get('a')).toBe(value)
})

test('the value unused longest leaves, and is told', () => {
  const left: string[] = []
  const cache = new BoundedCache<object>({ budget: 8, dispose: (_value, key) => left.push(key) })
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, {}, 2)
  cache.get('a')
  cache.set('e', {}, 2)
  expect(left).toEqual(['b'])
})

test('what would take more than a quarter is not kept', () => {
  const cache = new BoundedCache<object>({ budget: 100 })
  expect(cache.set('a', {}, 25)).toBe(true)
  expect(cache.set('b', {}, 26)).toBe(false)
  expect(cache.size).toBe(1)
})

test('whatever is kept, the budget holds', () => {
  const step = fc.tuple(fc.constantFrom('set', 'offer', 'get'), fc.nat(50), fc.integer({ min: 1, max: 400 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const cache = new BoundedCache<object>({ budget: 1000 })
      for (const [what, key, weight] of steps) {
        if (what === 'get') cache.get(`k${key}`)
        else cache[what as 'set' | 'offer'](`k${key}`, {}, weight)
        expect(cache.weight).toBeLessThanOrEqual(1000)
      }
    }),
  )
})

test('keys that were met long ago are forgotten', () => {
  const keys = new RecentKeys()
  expect(keys.meet('first')).toBe(false)
  for (let key = 0; key < 4096; key++) keys.meet(`key ${key}`)
  expect(keys.meet('first')).toBe(true)
  for (let key = 0; key < 100_000; key++) keys.meet(`other ${key}`)
  expect(keys.meet('first')).toBe(false)
})
