// A flag of V8 is that of the whole process, and must be as it was when SQLite is compiled.

import { Script } from 'node:vm'
import { expect, test } from 'vitest'
import { withWasmFlags } from '../../../src/databases/sqlite/wasm-flags.ts'

let scripts = 0

/** V8 accepts bytecode under the flags with which it was written. */
function accepts(bytecode: Buffer): boolean {
  const script = new Script('1', { cachedData: bytecode, filename: `script ${scripts++}` })
  return script.cachedDataRejected === false
}

test.each([
  ['succeeds', true, () => Promise.resolve()],
  ['fails', true, () => Promise.reject(new Error('no module'))],
  ['succeeds without optimising', false, () => Promise.resolve()],
])('other flags within a task that %s, and the same after it', async (_name, optimises, compile) => {
  const bytecode = new Script('1').createCachedData()
  let within: boolean | undefined
  await withWasmFlags(() => {
    within = accepts(bytecode)
    return compile()
  }, optimises).catch(() => {})
  expect([within, accepts(bytecode)]).toEqual([false, true])
})
