// Starts the built server once, and writes what the start has compiled when it ends (scripts/build.ts).

import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { load, cache } = await import(new URL('../dist/loader.js', import.meta.url).href)
rmSync(cache, { force: true })
// Bytecode is accepted only under the flags of V8 with which it was written. Those that a start sets come after the script is
// loaded, so it must be written without them.
createRequire(import.meta.url)('node:v8').setFlagsFromString = () => {}
// V8 names scripts in stack traces as they were named when their bytecode was made: not after a folder of this machine.
const { exports, script } = load('cms-run/dist/cms-run.cjs')
exports.commandLine()
process.on('exit', () => writeFileSync(cache, script.createCachedData()))
