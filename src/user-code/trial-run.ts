// Loads new user code in a thread first, since a top level that never ends would block the process. The main
// thread reports errors that code throws.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Environment } from '../config/interpolate-env.ts'
import { isRecord } from '../lib/is-record.ts'
import { SHARED } from './bundle-user-code.ts'
import { STRAPI_PACKAGES, strapiPackageNames } from './strapi-package.ts'
import { formatSeconds } from './with-timeout.ts'

interface TrialOptions {
  /** Also holds the thread's script. */
  readonly folder: string
  readonly bundle: string
  readonly shared: readonly string[]
  readonly directory: string
  readonly variables: Environment
  /** Milliseconds for one file. */
  readonly longest: number
  /** MB that all files together may keep. */
  readonly heap: number
}

/** `file` is undefined for packages, which load before any file. */
export interface TrialFault {
  readonly file: string | undefined
  readonly message: string
}

// Plain JavaScript: Node runs it without a loader.
const SCRIPT = `
import { parentPort, workerData } from 'node:worker_threads'
setInterval(() => {}, 1000) // a top level that waits for nothing would end the thread
const known = new Map()
for (const [name, url] of workerData.shared) {
  const found = await import(url)
  known.set(name, () => found)
}
const { strapi, factories, utils, errors, others } = workerData.strapi
known.set(strapi, () => ({ factories: Object.fromEntries(factories.map((one) => [one, () => () => ({})])) }))
known.set(utils, () => ({
  errors: Object.fromEntries(errors.map((one) => [one, class extends Error {}])),
  ...Object.fromEntries(others.map((one) => [one, () => {}])),
}))
globalThis[Symbol.for(workerData.key)] = known
const { modules, bind } = await import(workerData.bundle)
bind(() => undefined, workerData.variables)
for (const [file, run] of modules) {
  parentPort.postMessage({ file })
  await run().catch(() => {})
}
parentPort.postMessage({ done: true })
`

/**
 * MB. Node ends a thread whose heap is full and gives it 16 MB until then: one young-generation collection
 * moves its survivors to the heap and must not exceed that, or V8 ends the whole process.
 */
const MAX_YOUNG_MB = 4

/** Returns undefined when every file ran to its end, with or without an error. */
export async function runTrial(options: TrialOptions): Promise<TrialFault | undefined> {
  const { folder, bundle, shared, directory, variables, longest, heap } = options
  const script = join(folder, 'trial.mjs')
  await writeFile(script, SCRIPT)
  const own = createRequire(import.meta.url)
  const packages = shared.filter((name) => !(STRAPI_PACKAGES as readonly string[]).includes(name))
  const urls = packages.map((name) => [name, String(pathToFileURL(own.resolve(name)))])
  const worker = new Worker(pathToFileURL(script), {
    workerData: {
      bundle: String(pathToFileURL(bundle)),
      shared: urls,
      key: SHARED,
      strapi: strapiPackageNames,
      variables,
    },
    // Discarded: the main thread writes the same output again.
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heap, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
  })
  let file: string | undefined
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<TrialFault | undefined>((resolve) => {
      const shown = (): string =>
        file === undefined ? 'a package that it imports' : JSON.stringify(relative(directory, file))
      const wait = (): void => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          const message = `loading ${shown()} was not done after ${formatSeconds(longest)}`
          resolve({ file, message })
        }, longest)
      }
      wait()
      worker.on('message', (message: unknown) => {
        if (!isRecord(message)) return
        if (message['done'] === true) resolve(undefined)
        if (typeof message['file'] !== 'string') return
        file = message['file']
        wait()
      })
      worker.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') resolve(undefined)
        else resolve({ file, message: `loading ${shown()} needs more than ${heap} MB of memory` })
      })
      worker.on('exit', () => resolve({ file, message: `loading ${shown()} ends the process` }))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
