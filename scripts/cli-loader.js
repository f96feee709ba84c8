// Becomes dist/cli.js: runs dist/cli.cjs with the bytecode that the build kept beside it (dist/cli.cache). Node would
// compile three megabytes at each start; with it the first answer comes 70 ms earlier. Bytecode of another Node or
// another machine is refused by V8, and the source is compiled as ever.

import { readFileSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'

// Flags that the program sets (src/cli/bin.ts): bytecode is only taken under the flags it was made with.
setFlagsFromString('--wasm-tiering-budget=100000000')
setFlagsFromString('--heap-growing-percent=60')

const filename = fileURLToPath(new URL('./cli.cjs', import.meta.url))
const cache = fileURLToPath(new URL('./cli.cache', import.meta.url))
// The build runs the program once with this set, to keep what a start has compiled.
const writing = process.env.CMS_RUN_CODE_CACHE === 'write'

function kept() {
  try {
    return writing ? undefined : readFileSync(cache)
  } catch {
    return undefined
  }
}

// What the script itself cannot do: users' modules are imported.
globalThis[Symbol.for('cms-run.import')] = (url) => import(url)

const script = new vm.Script(Module.wrap(readFileSync(filename, 'utf8')), {
  filename,
  cachedData: kept(),
})
const module = { exports: {} }
script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename))

if (writing) {
  setTimeout(() => {
    writeFileSync(cache, script.createCachedData())
    process.exit(0)
  }, 2000)
}
