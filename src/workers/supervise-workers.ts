// The first process of several (`server.workers`): it answers nobody, but starts the workers that share the port,
// replaces one that dies, hands on edits one worker after the other, and ends them all.

import cluster, { type Worker } from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { clearTimeout, setTimeout } from 'node:timers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log/create-log.ts'
import { watchWorker } from './watch-worker.ts'
import {
  type FromWorker,
  messageFrom,
  type ToWorker,
  tell,
  WORKER_PORT,
  WORKER_SECRET,
} from './worker-messages.ts'

export interface SuperviseOptions {
  readonly count: number
  readonly port: number
  /** Milliseconds after which a worker that does not answer is replaced. */
  readonly timeout: number
  readonly log: Log
  /** An edit is live everywhere; these are the files that it is made of now. */
  readonly onReloaded: (files: readonly string[]) => void
  /** An edit was refused; these are the files that it is made of. */
  readonly onRejected: (files: readonly string[]) => void
}

export interface Supervision {
  /** Hands an edit on: the first worker tries it, the others follow when it was right. */
  reload(): Promise<void>
  stop(): Promise<number>
  /** Resolves with `false` when the first worker could not start; it has said why. */
  readonly started: Promise<boolean>
}

/** Milliseconds before a worker that died is replaced, times two for each that died soon after its start. */
const FIRST_PAUSE = 100
const LONGEST_PAUSE = 10_000
/** A worker that lived so long did not die of its start. */
const STABLE_AFTER = 10_000
/** How long a worker may take to try an edit: a migration may be long. */
const LONGEST_RELOAD = 3_600_000

export function superviseWorkers(options: SuperviseOptions): Supervision {
  const { count, port, timeout, log, onReloaded, onRejected } = options
  // Over node:http the workers accept for themselves: a connection that this process hands to a worker that dies
  // just then would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const env = { [WORKER_PORT]: String(port), [WORKER_SECRET]: randomBytes(32).toString('hex') }
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
    worker.once('exit', (code, signal) => {
      workers.delete(worker)
      // One that ends before any worker listened has said why nobody can.
      if (stopping || !served) return
      failures = Date.now() - startedAt > STABLE_AFTER ? 0 : failures + 1
      log.error({ worker: worker.process.pid, code, signal }, 'a worker ended; another one takes its place')
      void replace()
    })
    return worker
  }

  async function replace(): Promise<void> {
    if (failures > 1) await wait(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE))
    if (!stopping) start()
  }

  async function startAll(): Promise<boolean> {
    // Alone, so that a fault is told once.
    const listening = await answerOf(start(), 'listening')
    if (listening === undefined || stopping) return stopping
    served = true
    const others = Array.from({ length: count - 1 }, start)
    await Promise.all(others.map((worker) => answerOf(worker, 'listening')))
    tellOne({ cms: 'contract' })
    return true
  }

  async function reloadAll(): Promise<void> {
    let files: readonly string[] | undefined
    for (const worker of [...workers]) {
      if (stopping || !workers.has(worker)) continue
      const answered = answerOf(worker, 'reloaded')
      tell(worker, { cms: 'reload' })
      const answer = await answered
      // What the first one does not take is wrong for all of them.
      if (answer?.kind === 'rejected') {
        onRejected(answer.files ?? [])
        return
      }
      if (answer?.files !== undefined) files = answer.files
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

type Answer<K extends FromWorker['cms']> = Extract<FromWorker, { cms: K }>

/** The worker's next message of this kind; undefined when it ends before. */
function answerOf<K extends FromWorker['cms']>(worker: Worker, kind: K): Promise<Answer<K> | undefined> {
  return new Promise((resolve) => {
    const settle = (answer: Answer<K> | undefined): void => {
      clearTimeout(timer)
      worker.off('message', listen)
      worker.off('exit', end)
      resolve(answer)
    }
    const listen = (value: unknown): void => {
      const message = messageFrom(value)
      if (message?.cms === kind) settle(message as Answer<K>)
    }
    const end = (): void => settle(undefined)
    const timer = setTimeout(end, LONGEST_RELOAD)
    worker.on('message', listen)
    worker.once('exit', end)
  })
}
