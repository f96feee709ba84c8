// A worker that hangs (an endless loop, a process that was stopped) answers nobody and does not end: it is asked again
// and again, and ended when it does not answer.

import type { Worker } from 'node:cluster'
import { clearInterval, setInterval } from 'node:timers'
import type { Log } from '../log/create-log.ts'
import { messageFrom, tell } from './worker-messages.ts'

/** How often it is asked within the time that it has. */
const QUESTIONS = 10

/** Asks from when it listens until it ends; `timeout` in milliseconds. */
export function watchWorker(worker: Worker, timeout: number, log: Log): void {
  let asking: NodeJS.Timeout | undefined
  // Counted, not measured: of the time for which this process itself was suspended, the worker is not to blame.
  let unanswered = 0

  worker.on('message', (value) => {
    const message = messageFrom(value)
    if (message === undefined) return
    unanswered = 0
    if (message.cms === 'listening') asking ??= setInterval(ask, Math.max(timeout / QUESTIONS, 1))
  })
  worker.once('exit', () => clearInterval(asking))

  function ask(): void {
    // The question that is out is enough; more would only pile up.
    if (unanswered === 0) tell(worker, { cms: 'ping' })
    unanswered += 1
    if (unanswered <= QUESTIONS) return
    clearInterval(asking)
    const { pid } = worker.process
    log.error({ worker: pid }, `a worker has not answered for ${timeout / 1000} s: it hangs, and is ended`)
    // It takes no notice of a signal that it would have to handle itself.
    worker.process.kill('SIGKILL')
  }
}
