// Pings workers and kills a hanging one, such as one in an endless loop.

import type { Worker } from 'node:cluster'
import { clearInterval, setInterval } from 'node:timers'
import type { Log } from '../../observe/log/create-log.ts'
import { parseFromWorker, tell } from './worker-messages.ts'

const PINGS_PER_TIMEOUT = 10

/** `timeout`: milliseconds. */
export function watchWorker(worker: Worker, timeout: number, log: Log): void {
  let asking: NodeJS.Timeout | undefined
  // Counts pings instead of time, which would include time during which this process was suspended.
  let unanswered = 0

  worker.on('message', (value) => {
    const message = parseFromWorker(value)
    if (message === undefined) return
    unanswered = 0
    if (message.cms === 'listening') asking ??= setInterval(ask, Math.max(timeout / PINGS_PER_TIMEOUT, 1))
  })
  worker.once('exit', () => clearInterval(asking))

  function ask(): void {
    // More pings would only queue up.
    if (unanswered === 0) tell(worker, { cms: 'ping' })
    unanswered += 1
    if (unanswered <= PINGS_PER_TIMEOUT) return
    clearInterval(asking)
    const { pid } = worker.process
    log.error({ worker: pid }, `a worker has not responded for ${timeout / 1000} s: it is ended and replaced`)
    // A hanging worker would not handle any other signal.
    worker.process.kill('SIGKILL')
  }
}
