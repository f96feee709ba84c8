// The messages between the first process and its workers.

import type { Worker } from 'node:cluster'
import type { MetricFamily } from '../metrics/metrics.ts'
import { isRecord } from '../util/is-record.ts'

/** The metrics of one worker. */
export interface Measured {
  readonly worker: number
  readonly families: readonly MetricFamily[]
}

export type ToWorker =
  | { readonly cms: 'reload' }
  /** Every worker serves the newest configuration, so tables and columns that it no longer names may be dropped. */
  | { readonly cms: 'contract' }
  | { readonly cms: 'stop' }
  /** Must be answered at once: a worker that does not answer hangs. */
  | { readonly cms: 'ping' }
  /** Another worker asks for the metrics of all. */
  | { readonly cms: 'measure'; readonly id: number }
  /** The metrics of all workers. */
  | { readonly cms: 'measured'; readonly id: number; readonly processes: readonly Measured[] }

export type FromWorker =
  | { readonly cms: 'listening'; readonly transport: string }
  | { readonly cms: 'pong' }
  /** Asks for the metrics of all workers. */
  | { readonly cms: 'measure-all'; readonly id: number }
  | { readonly cms: 'measured-own'; readonly id: number; readonly families: readonly MetricFamily[] }
  | {
      readonly cms: 'reloaded'
      readonly kind: 'reloaded' | 'unchanged' | 'rejected' | 'held'
      /** The files to watch from now on. */
      readonly files: readonly string[] | undefined
    }

/** Environment variables that mark a process as worker, with the port and the secret that all workers share. */
export const WORKER_PORT = 'CMS_RUN_WORKER_PORT'
export const WORKER_SECRET = 'CMS_RUN_WORKER_SECRET'

/** Undefined for messages from other code. */
export function messageFrom(value: unknown): FromWorker | undefined {
  return isRecord(value) && typeof value['cms'] === 'string' ? (value as unknown as FromWorker) : undefined
}

export function messageTo(value: unknown): ToWorker | undefined {
  return isRecord(value) && typeof value['cms'] === 'string' ? (value as unknown as ToWorker) : undefined
}

export function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
