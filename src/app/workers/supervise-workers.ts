// Starts the workers that share a port, replaces dead ones, and reloads them one after the other.

import cluster, { type Worker } from 'node:cluster'
import { clearTimeout, setTimeout } from 'node:timers'
import { setTimeout as wait } from 'node:timers/promises'
import { getProcessSecret } from '../../access/process-secret.ts'
import type { Log } from '../../observe/log/create-log.ts'
import { askAll } from './ask-workers.ts'
import { watchWorker } from './watch-worker.ts'
import {
  type FromWorker,
  parseFromWorker,
  type ToWorker,
  tell,
  WORKER_PORT,
  WORKER_SECRET,
} from './worker-messages.ts'

interface SuperviseOptions {
  readonly count: number
  readonly port: number
  /** Milliseconds. */
  readonly timeout: number
  readonly log: Log
  readonly onReloaded: (files: readonly string[]) => void
  readonly onRejected: (files: readonly string[]) => void
}

interface Supervision {
  /** Reloads one worker first, and the others if it accepted the edit. */
  reload(): Promise<void>
  stop(): Promise<number>
  /** Resolves with `false` when the first worker could not start; it has reported why. */
  readonly started: Promise<boolean>
}

/** Doubled for each early death. */
const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000
/** Milliseconds after which the death of a worker does not count as a failed start. */
const MIN_STABLE_MS = 10_000
/** A migration may be long. */
const RELOAD_TIMEOUT_MS = 3_600_000

export function superviseWorkers(options: SuperviseOptions): Supervision {
  const { count, port, timeout, log, onReloaded, onRejected } = options
  // Workers accept connections themselves over node:http, too: a connection that this process passes to a
  // dying worker would hang forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const env = { [WORKER_PORT]: String(port), [WORKER_SECRET]: getProcessSecret() }
  const workers = new Set<Worker>()
  let stopping = false
  let served = false
  let failures = 0
  let running: Promise<void> | undefined
  let again = false

  function start(): Worker {
    const startedAt = Date.now()
    const worker = cluster.fork(env)
    workers.add(worker)
    watchWorker(worker, timeout, log)
    worker.on('error', (error) => log.error({ error }, 'a worker cannot be reached'))
    worker.on('message', (value) => {
      // A starting worker misses `stop`, so it is sent again.
      const message = parseFromWorker(value)
      if (stopping && message?.cms === 'listening') tell(worker, { cms: 'stop' })
      if (message?.cms === 'ask-all') void askAll(worker, message.id, message.question, workers)
    })
    worker.once('exit', (code, signal) => {
      workers.delete(worker)
      // Another worker would fail, too; this one has reported why.
      if (stopping || !served) return
      failures = Date.now() - startedAt > MIN_STABLE_MS ? 0 : failures + 1
      log.error({ worker: worker.process.pid, code, signal }, 'a worker ended: it is replaced')
      void replace()
    })
    return worker
  }

  async function replace(): Promise<void> {
    if (failures > 1) await wait(Math.min(MIN_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS))
    if (!stopping) start()
  }

  async function startAll(): Promise<boolean> {
    // The first worker starts alone, so that an error is reported once.
    const listening = await readWorkerMessage(start(), 'listening')
    if (listening === undefined || stopping) return stopping
    served = true
    const others = Array.from({ length: count - 1 }, start)
    await Promise.all(others.map((worker) => readWorkerMessage(worker, 'listening')))
    tellOne({ cms: 'contract' })
    return true
  }

  async function reloadAll(): Promise<void> {
    let files: readonly string[] | undefined
    for (const worker of [...workers]) {
      if (stopping || !workers.has(worker)) continue
      const answered = readWorkerMessage(worker, 'reloaded')
      tell(worker, { cms: 'reload' })
      const response = await answered
      if (response?.kind === 'rejected') {
        onRejected(response.files ?? [])
        return
      }
      if (response?.files !== undefined) files = response.files
    }
    if (files === undefined) return
    tellOne({ cms: 'contract' })
    onReloaded(files)
  }

  function tellOne(message: ToWorker): void {
    const [worker] = workers
    if (worker !== undefined) tell(worker, message)
  }

  return {
    started: startAll(),
    reload() {
      if (running !== undefined) {
        again = true
        return running
      }
      running = (async () => {
        do {
          again = false
          await reloadAll()
        } while (again && !stopping)
      })().finally(() => {
        running = undefined
      })
      return running
    },
    async stop() {
      stopping = true
      const ended = [...workers].map(
        (worker) => new Promise<number>((resolve) => worker.once('exit', (code) => resolve(code ?? 1))),
      )
      for (const worker of workers) tell(worker, { cms: 'stop' })
      return Math.max(0, ...(await Promise.all(ended)))
    },
  }
}

type WorkerMessage<K extends FromWorker['cms']> = Extract<FromWorker, { cms: K }>

/** Undefined when the worker ends before. */
function readWorkerMessage<K extends FromWorker['cms']>(
  worker: Worker,
  kind: K,
): Promise<WorkerMessage<K> | undefined> {
  return new Promise((resolve) => {
    const settle = (response: WorkerMessage<K> | undefined): void => {
      clearTimeout(timer)
      worker.off('message', listen)
      worker.off('exit', end)
      resolve(response)
    }
    const listen = (value: unknown): void => {
      const message = parseFromWorker(value)
      if (message?.cms === kind) settle(message as WorkerMessage<K>)
    }
    const end = (): void => settle(undefined)
    const timer = setTimeout(end, RELOAD_TIMEOUT_MS)
    worker.on('message', listen)
    worker.once('exit', end)
  })
}
