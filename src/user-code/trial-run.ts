// Users' code that is new is loaded in a thread of its own first, which can be ended: a file whose top level never ends
// would otherwise stop the process. Only that is told here; what throws is run again in this thread, and reported there.

import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { clearTimeout, setTimeout } from 'node:timers'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { isRecord } from '../util/is-record.ts'
import { SHARED } from './bundle-user-code.ts'
import { seconds } from './in-time.ts'

export interface TrialParts {
  /** Holds the bundle; the thread's own script is put beside it. */
  readonly folder: string
  readonly bundle: string
  /** Packages that the bundle asks the server for. */
  readonly shared: readonly string[]
  /** What paths are shown relative to. */
  readonly directory: string
  /** Milliseconds that one file may take. */
  readonly longest: number
  /** MB of objects that all of them may keep. */
  readonly heap: number
}

/** What is wrong, and the named file that ran; undefined for the packages that are loaded before any file. */
export interface TrialFault {
  readonly file: string | undefined
  readonly message: string
}

// Plain JavaScript: it is read by Node as it stands, however the server itself was started.
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

/** Undefined when every file came to its end, with or without an error. */
export async function trialRun(parts: TrialParts): Promise<TrialFault | undefined> {
  const { folder, bundle, shared, directory, longest, heap } = parts
  const script = join(folder, 'trial.mjs')
  await writeFile(script, SCRIPT)
  const own = createRequire(import.meta.url)
  const urls = shared.map((name) => [name, String(pathToFileURL(own.resolve(name)))])
  const worker = new Worker(pathToFileURL(script), {
    workerData: { bundle: String(pathToFileURL(bundle)), shared: urls, key: SHARED },
    // What it writes is written again when it runs in earnest.
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heap },
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
