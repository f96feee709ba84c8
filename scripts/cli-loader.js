// Becomes dist/cli.js: runs the command line of dist/cms-run.cjs with the bytecode that the build kept beside it
// (dist/cms-run.cache). Node would compile the script at each start; with it the first answer comes 70 ms earlier. Bytecode
// of another Node or another machine is refused by V8, and the source is compiled as ever.

import { readFileSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import vm from 'node:vm'

// Flags that the program sets (src/cli/bin.ts): bytecode is only accepted under the flags it was made with.
setFlagsFromString('--wasm-tiering-budget=100000000')
setFlagsFromString('--heap-growing-percent=200')

const filename = fileURLToPath(new URL('./cms-run.cjs', import.meta.url))
const cache = fileURLToPath(new URL('./cms-run.cache', import.meta.url))
// The build starts and ends the program once with this set, to keep what a start has compiled.
const writing = process.env.CMS_RUN_CODE_CACHE === 'write'

function kept() {
  try {
    return writing ? undefined : readFileSync(cache)
  } catch {
    return undefined
  }
}

// What the script itself cannot do: packages and users' modules are imported.
globalThis[Symbol.for('cms-run.import')] = (name) => import(name)

// The build writes ASCII alone, which is faster to read as Latin-1.
const script = new vm.Script(Module.wrap(readFileSync(filename, 'latin1')), {
  filename,
  cachedData: kept(),
})
const module = { exports: {} }
script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename))
module.exports.commandLine()

if (writing) process.on('exit', () => writeFileSync(cache, script.createCachedData()))
