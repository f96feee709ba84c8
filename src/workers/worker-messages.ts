// What the first process and its workers say to each other.

import type { Worker } from 'node:cluster'
import { isRecord } from '../util/is-record.ts'

export type ToWorker =
  | { readonly cms: 'reload' }
  /** Every worker serves the newest configuration: what it no longer names may be dropped. */
  | { readonly cms: 'contract' }
  | { readonly cms: 'stop' }
  /** To be answered at once: whoever does not hangs. */
  | { readonly cms: 'ping' }

export type FromWorker =
  | { readonly cms: 'listening'; readonly transport: string }
  | { readonly cms: 'pong' }
  | {
      readonly cms: 'reloaded'
      readonly kind: 'reloaded' | 'unchanged' | 'rejected' | 'held'
      /** What to watch from now on. */
      readonly files: readonly string[] | undefined
    }

/** Variables by which a worker knows that it is one, and what all of them share. */
export const WORKER_PORT = 'CMS_RUN_WORKER_PORT'
export const WORKER_SECRET = 'CMS_RUN_WORKER_SECRET'

/** Undefined for what somebody else sends. */
export function messageFrom(value: unknown): FromWorker | undefined {
  return isRecord(value) && typeof value['cms'] === 'string' ? (value as unknown as FromWorker) : undefined
}

export function messageTo(value: unknown): ToWorker | undefined {
  return isRecord(value) && typeof value['cms'] === 'string' ? (value as unknown as ToWorker) : undefined
}

export function tell(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message)
}
