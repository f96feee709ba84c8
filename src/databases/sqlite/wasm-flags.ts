// How V8 compiles WebAssembly that is compiled in a task: all functions at once, on other threads, and none of them optimised
// until it has run for long, or at all. By default V8 compiles each function on the main thread when it is first called, and begins to
// optimise SQLite's at once, which makes reads no faster that can be measured, except of thousands of rows.

import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

interface Flags {
  readonly lazy: boolean
  /** How many bytes of machine code a function runs through before V8 optimises it. */
  readonly budget: number
}

/** The largest that the flag takes. */
const LATE = 2_147_483_647
/** V8's own: those of Node 20, and of Node 22 and 24; and with `--no-wasm-lazy-compilation`. */
const OWN: readonly Flags[] = [true, false].flatMap((lazy) =>
  [1_800_000, 13_000_000].map((budget) => ({ lazy, budget })),
)

/**
 * V8 takes the flags into a module that is compiled; for the rest of the process they are put back. `optimises`: whether V8 ever
 * optimises the module.
 */
export async function withWasmFlags<T>(compile: () => Promise<T>, optimises = true): Promise<T> {
  const bytecode = new Script('0').createCachedData()
  setFlags({ lazy: false, budget: LATE })
  if (!optimises) setOptimising(false)
  try {
    return await compile()
  } finally {
    if (!optimises) setOptimising(true)
    const restored = OWN.some((flags) => {
      setFlags(flags)
      return accepts(bytecode)
    })
    if (!restored) setFlags({ lazy: true, budget: LATE })
  }
}

function setFlags({ lazy, budget }: Flags): void {
  setFlagsFromString(lazy ? '--wasm-lazy-compilation' : '--no-wasm-lazy-compilation')
  setFlagsFromString(`--wasm-tiering-budget=${budget}`)
}

function setOptimising(on: boolean): void {
  for (const flag of ['wasm-tier-up', 'wasm-dynamic-tiering'])
    setFlagsFromString(`--${on ? '' : 'no-'}${flag}`)
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
