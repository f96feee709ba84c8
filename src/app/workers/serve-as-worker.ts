// Connects a worker's server to the first process.

import cluster from 'node:cluster'
import { adoptProcessSecret } from '../../access/process-secret.ts'
import type { MetricFamily } from '../../observe/metrics/metrics.ts'
import { type FromWorker, parseToWorker, WORKER_PORT, WORKER_SECRET } from './worker-messages.ts'

export interface WorkerServer {
  readonly transport: string
  reload(): Promise<ReloadMessage | undefined>
  contract(): Promise<void>
  measured(): readonly MetricFamily[]
  /** The update of this worker for a page of the console. */
  look(given: unknown): unknown
}

interface ReloadMessage {
  readonly kind: Extract<FromWorker, { cms: 'reloaded' }>['kind']
  readonly checked?: { readonly files: readonly string[] }
}

/** Adopts the workers' shared secret; undefined in a process that is not a worker. */
export function joinWorkers(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const port = cluster.isWorker ? env[WORKER_PORT] : undefined
  const secret = env[WORKER_SECRET]
  if (port === undefined || secret === undefined) return undefined
  adoptProcessSecret(secret)
  return Number(port)
}

/** Calls `onStop` when the first process wants the worker to stop, or has ended. */
export function followPrimary(server: WorkerServer, onStop: () => void): void {
  process.on('message', (value) => {
    const message = parseToWorker(value)
    switch (message?.cms) {
      case 'reload':
        void server.reload().then((became) => {
          say({ cms: 'reloaded', kind: became?.kind ?? 'rejected', files: became?.checked?.files })
        })
        return
      case 'contract':
        void server.contract()
        return
      case 'ping':
        say({ cms: 'pong' })
        return
      case 'asked': {
        const { id, question } = message
        const response = question.about === 'metrics' ? server.measured() : server.look(question.given)
        say({ cms: 'answer', id, answer: response })
        return
      }
      case 'stop':
        onStop()
    }
  })
  process.on('disconnect', onStop)
  say({ cms: 'listening', transport: server.transport })
}

function say(message: FromWorker): void {
  if (process.connected) process.send?.(message)
}
