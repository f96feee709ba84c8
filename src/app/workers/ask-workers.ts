// Asks all workers, by way of the first process.

import type { Worker } from 'node:cluster'
import { clearTimeout, setTimeout } from 'node:timers'
import type { MetricFamily } from '../../observe/metrics/metrics.ts'
import {
  parseFromWorker,
  parseToWorker,
  tell,
  type WorkerMetrics,
  type WorkerReply,
  type WorkerRequest,
} from './worker-messages.ts'

/** A slower worker is left out. */
const TIMEOUT_MS = 2000

let questions = 0

/** In the first process. */
export async function askAll(
  asker: Worker,
  id: number,
  question: WorkerRequest,
  workers: Iterable<Worker>,
): Promise<void> {
  questions += 1
  const own = questions
  const responses = await Promise.all([...workers].map((worker) => askOne(worker, own, question)))
  tell(asker, { cms: 'answers', id, answers: responses.filter((one) => one !== undefined) })
}

function askOne(worker: Worker, id: number, question: WorkerRequest): Promise<WorkerReply | undefined> {
  return new Promise((resolve) => {
    const settle = (found: WorkerReply | undefined): void => {
      clearTimeout(timer)
      worker.off('message', listen)
      worker.off('exit', end)
      resolve(found)
    }
    const listen = (value: unknown): void => {
      const message = parseFromWorker(value)
      if (message?.cms === 'answer' && message.id === id)
        settle({ worker: worker.process.pid ?? 0, answer: message.answer })
    }
    const end = (): void => settle(undefined)
    const timer = setTimeout(end, TIMEOUT_MS)
    worker.on('message', listen)
    worker.once('exit', end)
    tell(worker, { cms: 'asked', id, question })
  })
}

/** Undefined when the first process does not answer. */
export function askForAll(question: WorkerRequest): Promise<readonly WorkerReply[] | undefined> {
  questions += 1
  const id = questions
  return new Promise((resolve) => {
    const settle = (found: readonly WorkerReply[] | undefined): void => {
      clearTimeout(timer)
      process.off('message', listen)
      resolve(found)
    }
    const listen = (value: unknown): void => {
      const message = parseToWorker(value)
      if (message?.cms === 'answers' && message.id === id) settle(message.answers)
    }
    const timer = setTimeout(() => settle(undefined), 2 * TIMEOUT_MS)
    process.on('message', listen)
    process.send?.({ cms: 'ask-all', id, question })
  })
}

/** Only its own metrics when the first process does not answer. */
export async function measureAll(own: () => readonly MetricFamily[]): Promise<readonly WorkerMetrics[]> {
  const found = await askForAll({ about: 'metrics' })
  if (found === undefined) return [{ worker: process.pid, families: own() }]
  return found.map(({ worker, answer: response }) => ({
    worker,
    families: response as readonly MetricFamily[],
  }))
}
