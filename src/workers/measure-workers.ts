// The metrics of all workers, for the one that a scraper happened to reach: a worker asks the first process, which asks
// each of them.

import type { Worker } from 'node:cluster'
import { clearTimeout, setTimeout } from 'node:timers'
import type { MetricFamily } from '../metrics/metrics.ts'
import { type Measured, messageFrom, messageTo, tell } from './worker-messages.ts'

/** Milliseconds that a worker may take; one that takes longer is left out. */
const PATIENCE = 2000

let questions = 0

/** In the first process. */
export async function measureAll(asker: Worker, id: number, workers: Iterable<Worker>): Promise<void> {
  questions += 1
  const question = questions
  const measured = await Promise.all([...workers].map((worker) => measure(worker, question)))
  tell(asker, { cms: 'measured', id, processes: measured.filter((one) => one !== undefined) })
}

function measure(worker: Worker, id: number): Promise<Measured | undefined> {
  return new Promise((resolve) => {
    const settle = (found: Measured | undefined): void => {
      clearTimeout(timer)
      worker.off('message', listen)
      worker.off('exit', end)
      resolve(found)
    }
    const listen = (value: unknown): void => {
      const message = messageFrom(value)
      if (message?.cms === 'measured-own' && message.id === id)
        settle({ worker: worker.process.pid ?? 0, families: message.families })
    }
    const end = (): void => settle(undefined)
    const timer = setTimeout(end, PATIENCE)
    worker.on('message', listen)
    worker.once('exit', end)
    tell(worker, { cms: 'measure', id })
  })
}

/** In a worker: the metrics of all workers; its own alone when the first process does not answer. */
export function askForAll(own: () => readonly MetricFamily[]): Promise<readonly Measured[]> {
  questions += 1
  const id = questions
  return new Promise((resolve) => {
    const settle = (found: readonly Measured[]): void => {
      clearTimeout(timer)
      process.off('message', listen)
      resolve(found)
    }
    const listen = (value: unknown): void => {
      const message = messageTo(value)
      if (message?.cms === 'measured' && message.id === id) settle(message.processes)
    }
    const timer = setTimeout(() => settle([{ worker: process.pid, families: own() }]), 2 * PATIENCE)
    process.on('message', listen)
    process.send?.({ cms: 'measure-all', id })
  })
}
