// A new instance of sql.js with a memory of its own, at each call: after a trap the old one is lost for good, and
// its module would hand out the same lost one again, because it keeps its promise.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type SqlJsApi, type WasmInstance, type WasmModule, webAssembly } from './sql-js-types.ts'

interface Options {
  readonly useOldExtensionFunctions: boolean
  print(): void
  printErr(): void
  instantiateWasm(imports: unknown, done: (instance: WasmInstance) => void): object
}

type Initialize = (options: Options) => Promise<SqlJsApi>

/** Compiled once per process (7 ms); only what is instantiated from it can die. */
let compiled: Promise<WasmModule> | undefined

/** Begins the compilation, which other threads do, so that it is done when a database is opened. */
export function compileSqlJs(): Promise<WasmModule> {
  compiled ??= readFile(join(dirname(pathOf(createRequire(import.meta.url))), 'sql-wasm.wasm')).then(
    (bytes) => webAssembly.compile(bytes),
  )
  return compiled
}

function pathOf(require: NodeJS.Require): string {
  return require.resolve('sql.js')
}

export async function loadSqlJs(): Promise<SqlJsApi> {
  const module = await compileSqlJs()
  // A `require` of its own each time, so that no parent module keeps a list of all that were ever loaded.
  const require = createRequire(import.meta.url)
  const path = pathOf(require)

  delete require.cache[path]
  const initialize = require(path) as Initialize
  delete require.cache[path]

  return new Promise((resolve, reject) => {
    const options: Options = {
      useOldExtensionFunctions: false,
      // What goes wrong arrives as an exception; sql.js would print it as well.
      print: () => {},
      printErr: () => {},
      instantiateWasm(imports, done) {
        webAssembly.instantiate(module, imports).then(done, reject)
        return {}
      },
    }
    withWholeTexts(() => initialize(options)).then(resolve, reject)
  })
}

class WholeTextDecoder extends TextDecoder {
  constructor() {
    super('utf-8', { ignoreBOM: true })
  }
}

/**
 * sql.js reads text by a TextDecoder that it makes while it is initialized, before anybody else's code can run. The usual
 * one drops a byte order mark that a text begins with.
 */
function withWholeTexts<T>(initialize: () => T): T {
  const { TextDecoder } = globalThis
  try {
    globalThis.TextDecoder = WholeTextDecoder as typeof TextDecoder
    return initialize()
  } finally {
    globalThis.TextDecoder = TextDecoder
  }
}
