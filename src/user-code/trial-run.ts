// Loads new users' code in a separate thread first, which can be terminated: a file whose top level never ends would
// block the process. Only that is reported here; code that throws runs again in the main thread and is reported there.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isRecord } from '../lib/is-record.ts'
import { SHARED } from './bundle-user-code.ts'
import { seconds } from './with-timeout.ts'

interface TrialOptions {
  /** Holds the bundle; the script of the thread is written into the same folder. */
  readonly folder: string
  readonly bundle: string
  /** Packages that the bundle imports from the server. */
  readonly shared: readonly string[]
  /** Paths are shown relative to this directory. */
  readonly directory: string
  /** Milliseconds for one file. */
  readonly longest: number
  /** MB of objects that all files together may keep. */
  readonly heap: number
}

/** The fault, and the named file that was running; undefined for the packages, which are loaded before any file. */
export interface TrialFault {
  readonly file: string | undefined
  readonly message: string
}

// Plain JavaScript: Node runs it without a loader, however the server itself was started.
const SCRIPT = `
import { parentPort, workerData } from 'node:worker_threads'
setInterval(() => {}, 1000) // a top level that waits for nothing would end the thread
const known = new Map()
for (const [name, url] of workerData.shared) known.set(name, await import(url))
globalThis[Symbol.for(workerData.key)] = known
const { modules } = await import(workerData.bundle)
for (const [file, run] of modules) {
  parentPort.postMessage({ file })
  await run().catch(() => {})
}
parentPort.postMessage({ done: true })
`

/**
 * MB of young objects. Node ends a thread whose heap is full, and gives it 16 MB more until it has ended: one collection of the
 * young generation, which moves what survives to the heap, must not add more, or V8 ends the whole process.
 */
const MAX_YOUNG_MB = 4

/** Returns undefined when every file ran to its end, with or without an error. */
export async function trialRun(options: TrialOptions): Promise<TrialFault | undefined> {
  const { folder, bundle, shared, directory, longest, heap } = options
  const script = join(folder, 'trial.mjs')
  await writeFile(script, SCRIPT)
  const own = createRequire(import.meta.url)
  const urls = shared.map((name) => [name, String(pathToFileURL(own.resolve(name)))])
  const worker = new Worker(pathToFileURL(script), {
    workerData: { bundle: String(pathToFileURL(bundle)), shared: urls, key: SHARED },
    // Discarded: the same output is written again when the code runs in the main thread.
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
          const message = `loading ${shown()} was not done after ${seconds(longest)}`
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
