// Loads a new instance of sql.js, with its own memory, at each call. After a trap the old instance cannot be used, and
// its module would return the same one again, because it caches its promise.

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

/** Compiled once per process (7 ms); only its instances can break. */
let compiled: Promise<WasmModule> | undefined

/** Starts the compilation, on other threads, so that it is done when a database is opened. */
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
  // A new `require` each time, so that no parent module keeps a list of all instances ever loaded.
  const require = createRequire(import.meta.url)
  const path = pathOf(require)

  delete require.cache[path]
  const initialize = require(path) as Initialize
  delete require.cache[path]

  return new Promise((resolve, reject) => {
    const options: Options = {
      useOldExtensionFunctions: false,
      // Errors are thrown as exceptions; sql.js would also print them.
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
 * sql.js decodes text with a TextDecoder that it creates synchronously while it is initialized. The default decoder
 * drops a byte order mark at the beginning of a text.
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
