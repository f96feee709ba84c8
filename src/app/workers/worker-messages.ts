// Declares the messages between the first process and its workers.

import type { Worker } from 'node:cluster'
import { isRecord } from '../../lib/is-record.ts'
import type { MetricFamily } from '../../observe/metrics/metrics.ts'

export interface WorkerMetrics {
  readonly worker: number
  readonly families: readonly MetricFamily[]
}

export type WorkerRequest =
  | { readonly about: 'metrics' }
  | { readonly about: 'console'; readonly given: unknown }

export interface WorkerReply {
  readonly worker: number
  readonly answer: unknown
}

export type ToWorker =
  | { readonly cms: 'reload' }
  /** Every worker serves the newest configuration, so tables and columns that it no longer names may be dropped. */
  | { readonly cms: 'contract' }
  | { readonly cms: 'stop' }
  /** Must be answered at once: a worker that does not answer hangs. */
  | { readonly cms: 'ping' }
  /** A worker asks all of them. */
  | { readonly cms: 'asked'; readonly id: number; readonly question: WorkerRequest }
  /** The answers of all of them. */
  | { readonly cms: 'answers'; readonly id: number; readonly answers: readonly WorkerReply[] }

export type FromWorker =
  | { readonly cms: 'listening'; readonly transport: string }
  | { readonly cms: 'pong' }
  /** Asks all workers. */
  | { readonly cms: 'ask-all'; readonly id: number; readonly question: WorkerRequest }
  | { readonly cms: 'answer'; readonly id: number; readonly answer: unknown }
  | {
      readonly cms: 'reloaded'
      readonly kind: 'reloaded' | 'unchanged' | 'rejected' | 'held'
      readonly files: readonly string[] | undefined
    }

export const WORKER_PORT = 'CMS_RUN_WORKER_PORT'
export const WORKER_SECRET = 'CMS_RUN_WORKER_SECRET'

/** Undefined for messages from other code. */
export function parseFromWorker(value: unknown): FromWorker | undefined {
  return isRecord(value) && typeof value['cms'] === 'string' ? (value as unknown as FromWorker) : undefined
}

export function parseToWorker(value: unknown): ToWorker | undefined {
  return isRecord(value) && typeof value['cms'] === 'string' ? (value as unknown as ToWorker) : undefined
}

export function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
