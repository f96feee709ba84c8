// For `server.workers` above one: finds the port that the workers share, starts them, and watches the file for them.

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { Log } from '../log/create-log.ts'
import { superviseWorkers } from '../workers/supervise-workers.ts'
import type { Checked, ValidConfig } from './check-config.ts'
import { followFiles } from './followed-files.ts'
import {
  listenFailure,
  type Served,
  type StartFailure,
  type StartOptions,
  showBanner,
  urlOf,
} from './serving.ts'

export interface WorkersParts {
  readonly options: StartOptions
  readonly checked: Checked & ValidConfig
  readonly log: Log
  /** Epoch milliseconds of when the file was read. */
  readonly readAt: number
}

export async function startWorkers(parts: WorkersParts): Promise<Served | StartFailure> {
  const { options, checked, log, readAt } = parts
  const { config, model } = checked
  const { host, workers: count } = config.server
  let port: number
  try {
    port = await freePort(config.server.port, host)
  } catch (error) {
    options.io.err(`${listenFailure(error, config)}\n`)
    return { exitCode: 1 }
  }
  const files = followFiles({
    files: checked.files,
    readAt,
    log,
    onChange: () => void supervision.reload(),
  })
  const supervision = superviseWorkers({
    count,
    port,
    timeout: config.server.workerTimeout,
    log,
    onReloaded: files.taken,
    onRejected: files.refused,
  })
  if (!(await supervision.started)) return { exitCode: 1 }
  if (options.watch)
    files.start(options.poll ?? false).catch((error) => log.error({ error }, 'the file cannot be followed'))
  const url = urlOf(config, port)
  log.info({ workers: count, database: config.database.client }, `${count} workers listen on ${url}`)
  showBanner(url, config, model, options.io)
  return {
    url,
    reload: () => supervision.reload(),
    async stop() {
      await files.close()
      const exitCode = await supervision.stop()
      log.info('stopped')
      return exitCode
    },
  }
}

/** Checks that the port is free: the kernel's port sharing would also let workers share another program's port. */
function freePort(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen({ port, host, exclusive: true }, () => {
      const bound = (probe.address() as AddressInfo).port
      probe.close(() => resolve(bound))
    })
  })
}
