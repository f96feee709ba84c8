import { expect, test } from 'vitest'
import { raceAgainst } from '../../../src/lib/race-against.ts'

const never = new Promise<never>(() => {})

test('a wait that is done first wins, and its failure, too', async () => {
  const race = raceAgainst(never)
  expect(await race(Promise.resolve(1))).toBe(1)
  await expect(race(Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await race(Promise.resolve(2))).toBe(2)
})

test('the promise ends the wait of the moment and every later one', async () => {
  let end = (_value: string): void => {}
  const race = raceAgainst(
    new Promise<string>((resolve) => {
      end = resolve
    }),
  )
  expect(await race(Promise.resolve(1))).toBe(1)
  const wait = race(never)
  end('over')
  expect(await wait).toBe('over')
  expect(await race(never)).toBe('over')
})

test('a failure of the promise is one of each wait', async () => {
  const race = raceAgainst(Promise.reject(new Error('broken')))
  await expect(race(never)).rejects.toThrow('broken')
  await expect(race(never)).rejects.toThrow('broken')
})
