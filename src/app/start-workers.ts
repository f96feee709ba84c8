// Finds the port that the workers share, starts them, and watches the file for them.

import { getFirstPath } from '../describe/start-banner.ts'
import { probePort } from '../http/probe-port.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { CheckedConfig, ValidConfig } from './check-config.ts'
import { followFiles } from './followed-files.ts'
import { buildConsoleUrl, openConsole } from './serve-console.ts'
import {
  announce,
  buildUrl,
  listenFailure,
  type ServerHandle,
  type StartFailure,
  type StartOptions,
} from './serving.ts'
import { superviseWorkers } from './workers/supervise-workers.ts'

interface WorkersStart {
  readonly options: StartOptions
  readonly checked: CheckedConfig & ValidConfig
  readonly log: Log
  /** Epoch milliseconds. */
  readonly readAt: number
}

export async function startWorkers(start: WorkersStart): Promise<ServerHandle | StartFailure> {
  const { options, checked, log, readAt } = start
  const { config, model } = checked
  const { host, workers: count } = config.server
  let port: number
  try {
    // The kernel's port sharing would let workers share another program's port, too.
    port = await probePort(config.server.port, host)
  } catch (error) {
    options.io.fail(listenFailure(error, config.server))
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
    files
      .start(options.poll ?? false)
      .catch((error) =>
        log.error({ error }, 'the file cannot be watched: edits take effect at the next start'),
      )
  const url = buildUrl(config, port)
  log.info({ workers: count, database: config.database.client }, `${count} workers listen on ${url}`)
  // The workers derive the same key from their shared secret.
  const access = openConsole(config, { byDefault: true, shared: true })
  const pages = access && buildConsoleUrl(url, access)
  announce(url, config, model, options, log, pages)
  return {
    url,
    firstUrl: pages ?? url + (getFirstPath(config, model) ?? ''),
    reload: () => supervision.reload(),
    async stop() {
      await files.close()
      const exitCode = await supervision.stop()
      log.info('stopped')
      return exitCode
    },
  }
}
