// Becomes dist/loader.js: loads dist/cms-run.cjs with the bytecode that the build kept beside it (dist/cms-run.cache), for
// the command line and for programs. Node would compile the script at each start. Bytecode of another Node, of another machine
// or under other flags of V8 is refused by V8, and the source is compiled as ever.

import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

const filename = fileURLToPath(new URL('./cms-run.cjs', import.meta.url))
export const cache = fileURLToPath(new URL('./cms-run.cache', import.meta.url))

function kept() {
  try {
    return readFileSync(cache)
  } catch {
    return undefined
  }
}

/** Returns the exports of the script, and the script; undefined where it was loaded without bytecode. `name`: in stack traces. */
export function load(name = filename) {
  // Test runners such as Jest give each file a realm of its own, with classes of its own: the script belongs to that one.
  if (vm.runInThisContext('Error') !== Error) return { exports: createRequire(import.meta.url)(filename) }

  // What the script itself cannot do: packages and users' modules are imported.
  const handedIn = (name) => import(name)
  globalThis[Symbol.for('cms-run.import')] ??= handedIn
  const module = { exports: {}, handedIn }
  // The build writes ASCII alone, which is faster to read as Latin-1.
  const source = Module.wrap(readFileSync(filename, 'latin1'))
  const script = new vm.Script(source, { filename: name, cachedData: kept() })
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, dirname(filename))
  return { exports: module.exports, script }
}
