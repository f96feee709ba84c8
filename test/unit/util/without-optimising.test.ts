import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { withoutOptimising } from '../../../src/util/without-optimising.ts'

let scripts = 0

/** V8 accepts bytecode under the flags with which it was written. */
function accepts(bytecode: Buffer): boolean {
  const script = new Script('1', { cachedData: bytecode, filename: `script ${scripts++}` })
  return script.cachedDataRejected === false
}

test('the flags are others within the task, and what they were after it', () => {
  const bytecode = new Script('1').createCachedData()
  expect(withoutOptimising(() => accepts(bytecode))).toBe(false)
  expect(accepts(bytecode)).toBe(true)
  const fail = (): never => {
    throw new Error('no')
  }
  expect(() => withoutOptimising(fail)).toThrow('no')
  expect(accepts(bytecode)).toBe(true)
})
