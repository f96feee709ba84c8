import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AsyncContext } from '../../../src/lib/async-context.ts'

test('a task and what it awaits see its value, others do not', async () => {
  const context = new AsyncContext<string>()
  const seen = async (): Promise<string | undefined> => {
    await wait(1)
    return context.get()
  }
  const found = await Promise.all([context.run('a', seen), seen(), context.run('b', seen)])
  expect(found).toEqual(['a', undefined, 'b'])
})

test('a task within another has its own', async () => {
  const context = new AsyncContext<string>()
  const found: unknown[] = []
  await context.run('outer', async () => {
    await context.run('inner', async () => void found.push(context.get()))
    found.push(context.get())
  })
  expect(found).toEqual(['inner', 'outer'])
})

test('it works again after nobody was in it, also when a task failed', async () => {
  const context = new AsyncContext<string>()
  const failing = context.run('a', async () => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(context.get()).toBeUndefined()
  expect(await context.run('b', async () => context.get())).toBe('b')
  expect(context.get()).toBeUndefined()
})
