// Keeps V8 from optimising WebAssembly that is compiled in a task until it has run for longer. V8 begins at once with
// SQLite's functions, and makes reads no faster by it that can be measured.

import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

/** How many bytes of machine code a function runs through before V8 optimises it. */
const LATE = 1_000_000_000
/** V8's own: that of Node 20, and of Node 22 and 24. */
const OWN = [1_800_000, 13_000_000]

/** V8 takes the number into a module that is compiled; for the rest of the process it is put back. */
export async function withLateTiering<T>(compile: () => Promise<T>): Promise<T> {
  const bytecode = new Script('0').createCachedData()
  setBudget(LATE)
  try {
    return await compile()
  } finally {
    const restored = OWN.some((budget) => {
      setBudget(budget)
      return accepts(bytecode)
    })
    if (!restored) setBudget(LATE)
  }
}

function setBudget(bytes: number): void {
  setFlagsFromString(`--wasm-tiering-budget=${bytes}`)
}

/**
 * V8 accepts bytecode only under the flags with which it was written. It says in no other way what a flag is; and other
 * threads that load the bytecode of the build need them as they were.
 */
function accepts(bytecode: Buffer): boolean {
  // A name that no script had: of one that V8 knows, it would not look at the bytecode.
  const script = new Script('0', { cachedData: bytecode, filename: `flags ${performance.now()}` })
  return script.cachedDataRejected === false
}
