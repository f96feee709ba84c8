// Loads a new instance of sql.js, because after a trap its module would return the cached broken one.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import { compileFunction } from 'node:vm'
import { createRowReader, type ReadRow } from './row-reader.ts'
import { type SqlJsApi, type WasmInstance, type WasmModule, webAssembly } from './sql-js-types.ts'

interface Options {
  readonly useOldExtensionFunctions: boolean
  print(): void
  printErr(): void
  instantiateWasm(imports: unknown, done: (instance: WasmInstance) => void): object
}

type Initialize = (options: Options) => Promise<SqlJsApi>

/** Compiled once per process (27 ms of other threads). */
let compiled: Promise<WasmModule> | undefined

type Wrapper = (
  require: NodeJS.Require,
  module: { exports: unknown },
  exports: unknown,
  filename: string,
  dirname: string,
) => void

/** Compiled once; each call is a new module. */
let wrapper: Wrapper | undefined

function newModule(): Initialize {
  const path = buildPath(createRequire(import.meta.url))
  wrapper ??= compileFunction(
    readFileSync(path, 'utf8'),
    ['require', 'module', 'exports', '__filename', '__dirname'],
    {
      filename: path,
    },
  ) as Wrapper
  const module: { exports: unknown } = { exports: {} }
  wrapper(createRequire(path), module, module.exports, path, dirname(path))
  return module.exports as Initialize
}

export function compileSqlJs(): Promise<WasmModule> {
  compiled ??= compileNow()
  return compiled
}

async function compileNow(): Promise<WasmModule> {
  // Synchronous, because an asynchronous read would wait for the main thread's other work.
  const bytes = readFileSync(join(dirname(buildPath(createRequire(import.meta.url))), 'sql-wasm.wasm'))
  return webAssembly.compile(bytes)
}

function buildPath(require: NodeJS.Require): string {
  return require.resolve('sql.js')
}

export interface LoadedSqlJs {
  readonly api: SqlJsApi
  readonly readRow: ReadRow
}

export async function loadSqlJs(): Promise<LoadedSqlJs> {
  // In a program with nothing open, Node would wait for everything that V8 still compiles on other threads: 170 ms of a first start.
  const open = setInterval(() => {}, 60_000)
  return newSqlJs().finally(() => clearInterval(open))
}

async function newSqlJs(): Promise<LoadedSqlJs> {
  const module = await compileSqlJs()
  const initialize = newModule()
  let memory: InstanceType<typeof webAssembly.Memory> | undefined
  const api = await new Promise<SqlJsApi>((resolve, reject) => {
    const options: Options = {
      useOldExtensionFunctions: false,
      print: () => {},
      printErr: () => {},
      instantiateWasm(imports, done) {
        webAssembly.instantiate(module, imports).then((instance) => {
          memory = Object.values(instance.exports).find((one) => one instanceof webAssembly.Memory)
          done(instance)
        }, reject)
        return {}
      },
    }
    withWholeTexts(() => initialize(options)).then(resolve, reject)
  })
  return { api, readRow: createRowReader(api, memory) }
}

class WholeTextDecoder extends TextDecoder {
  constructor() {
    super('utf-8', { ignoreBOM: true })
  }
}

/**
 * sql.js creates a TextDecoder synchronously while it is initialized, and the default one drops a byte order
 * mark at the beginning of a text.
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
