// One of several processes on a port: serves as ever, and does what the first process says about edits and the end.

import cluster from 'node:cluster'
import { adoptProcessSecret } from '../auth/process-secret.ts'
import { type FromWorker, messageTo, WORKER_PORT, WORKER_SECRET } from './worker-messages.ts'

/** A server, as one of several processes is. */
export interface WorkerServer {
  readonly transport: string
  /** Resolves with what became of it. */
  reload(): Promise<Reloaded | undefined>
  contract(): Promise<void>
}

interface Reloaded {
  readonly kind: Extract<FromWorker, { cms: 'reloaded' }>['kind']
  readonly checked?: { readonly files: readonly string[] }
}

/** The port that the workers share, once what else they share is taken; undefined in a process that is none of them. */
export function joinWorkers(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const port = cluster.isWorker ? env[WORKER_PORT] : undefined
  const secret = env[WORKER_SECRET]
  if (port === undefined || secret === undefined) return undefined
  adoptProcessSecret(secret)
  return Number(port)
}

/** `onStop`: the first process wants the end, or is gone. */
export function obeyPrimary(server: WorkerServer, onStop: () => void): void {
  process.on('message', (value) => {
    const message = messageTo(value)
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
