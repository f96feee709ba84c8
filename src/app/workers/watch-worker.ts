// Detects a worker that hangs (an endless loop, a suspended process), which neither answers requests nor ends: it is
// pinged regularly, and killed when it does not answer.

import type { Worker } from 'node:cluster'
import { clearInterval, setInterval } from 'node:timers'
import type { Log } from '../../observe/log/create-log.ts'
import { messageFrom, tell } from './worker-messages.ts'

/** Pings within the timeout. */
const QUESTIONS = 10

/** Pings the worker from when it listens until it ends; `timeout` in milliseconds. */
export function watchWorker(worker: Worker, timeout: number, log: Log): void {
  let asking: NodeJS.Timeout | undefined
  // Counts pings instead of measuring time, which would include time during which this process was suspended.
  let unanswered = 0

  worker.on('message', (value) => {
    const message = messageFrom(value)
    if (message === undefined) return
    unanswered = 0
    if (message.cms === 'listening') asking ??= setInterval(ask, Math.max(timeout / QUESTIONS, 1))
  })
  worker.once('exit', () => clearInterval(asking))

  function ask(): void {
    // One unanswered ping is enough; more would only queue up.
    if (unanswered === 0) tell(worker, { cms: 'ping' })
    unanswered += 1
    if (unanswered <= QUESTIONS) return
    clearInterval(asking)
    const { pid } = worker.process
    log.error({ worker: pid }, `a worker has not responded for ${timeout / 1000} s: it is ended and replaced`)
    // A hanging worker would not handle any other signal.
    worker.process.kill('SIGKILL')
  }
}
