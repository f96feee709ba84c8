// `cms-run cms.yaml`: one file -> a running, reloading server, until a signal ends it.

import { setTimeout as wait } from 'node:timers/promises'
import { formatReport } from '../config/format-diagnostic.ts'
import { warmDatabase } from '../databases/open-database.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { FileWatch } from '../file-watch/watch-file.ts'
import { openServer, warmServer } from '../http/open-server.ts'
import { createLog, type Log } from '../log/create-log.ts'
import { notInMemory } from '../seeding/seed-content.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { type Checked, checkConfig } from './check-config.ts'
import { openService, type Service } from './open-service.ts'
import { createReloader, type ReloadEvent } from './reload.ts'
import {
  listenFailure,
  type RunningServer,
  type Served,
  type StartFailure,
  type StartOptions,
  showBanner,
  startWatch,
  urlOf,
} from './serving.ts'
import { MOST_URL, refusalHeaders } from './transport-options.ts'

export async function startServer(given: StartOptions): Promise<RunningServer | Served | StartFailure> {
  const options = { ...given, check: { ...given.check, modules: createUserModules() } }
  const { io, workerPort } = options
  const source = { file: options.file }
  const report = (checked: Checked, diagnostics: readonly Diagnostic[]): void => {
    if (diagnostics.length > 0) io.err(formatReport(checked.source, diagnostics, { colors: io.colors }))
  }
  warmDatabase()
  if (options.transport === undefined) warmServer()
  const readAt = Date.now()
  const checked = await checkConfig(source, options.check)
  report(checked, checked.diagnostics)
  const { config, model, own } = checked
  if (config === undefined || model === undefined) return { exitCode: 1 }
  if (options.reseed === true && config.database.client !== 'memory') {
    report(checked, [notInMemory()])
    return { exitCode: 1 }
  }

  const log = createLog({
    level: config.server.log.level,
    format: config.server.log.format ?? (io.isTty ? 'pretty' : 'json'),
    colors: io.colors,
    write: (line) => io.out(line),
    ...(workerPort === undefined ? {} : { worker: process.pid }),
  })
  options.onLog?.(log)
  if (config.server.workers > 1 && workerPort === undefined) {
    const { startWorkers } = await import('./start-workers.ts')
    return startWorkers({ options, checked, config, model, log, readAt })
  }
  const opened = await openService({ config, model, own }, log, { among: workerPort !== undefined })
  if ('diagnostics' in opened) {
    report(checked, opened.diagnostics)
    return { exitCode: 1 }
  }
  const { service } = opened
  report(checked, opened.warnings)

  const server = await openServer({
    handler: service.live.handler,
    limits: { ...config.server.limits, url: MOST_URL },
    trustProxy: config.server.trustProxy,
    headers: refusalHeaders(config),
    onFault: (error, requestId) => log.error({ error, requestId }, 'a request failed by our fault'),
    onWarning: (message) => log.warn(message),
    onFallback: (reason) => log.warn(`serving over node:http: ${reason}`),
    ...(options.transport === undefined ? {} : { transport: options.transport }),
  })
  let port: number
  try {
    const { host } = config.server
    port = (await server.listen(workerPort ?? config.server.port, host, workerPort !== undefined)).port
  } catch (error) {
    await service.close()
    io.err(`${listenFailure(error, config)}\n`)
    return { exitCode: 1 }
  }

  let lastReload: ReloadEvent | undefined
  let liveFiles = checked.files
  const reloader = createReloader({
    source,
    check: options.check,
    service,
    log,
    liveHash: checked.hash,
    reseed: options.reseed === true,
    onEvent(event) {
      lastReload = event
      tell(event, log, service, report)
      // A seed file that the edit brought in is followed from now on.
      // So is code that an edit names, whether or not it was taken.
      if (event.kind === 'reloaded') liveFiles = event.checked.files
      if (event.kind === 'reloaded' || event.kind === 'rejected') {
        const followed = [...new Set([...liveFiles, ...event.checked.files])]
        void watch?.then((one) => one.setFiles(followed))
      }
    },
  })
  // The first requests come before the watch; an edit made since the file was read is seen nevertheless.
  const watch: Promise<FileWatch> | undefined =
    options.watch && workerPort === undefined
      ? wait(WATCH_AFTER).then(() => startWatch(checked.files, reloader, log, options.poll ?? false, readAt))
      : undefined
  watch?.catch((error) => log.error({ error }, 'the file cannot be followed'))
  const url = urlOf(config, port)
  log.info(
    { transport: server.name, database: config.database.client, durable: service.database.durable },
    `listening on ${url}`,
  )
  if (workerPort === undefined) showBanner(url, config, model, io)

  let stopping: Promise<number> | undefined
  return {
    port,
    url,
    transport: server.name,
    service,
    get lastReload() {
      return lastReload
    },
    reload() {
      lastReload = undefined
      return reloader.reload()
    },
    stop() {
      stopping ??= (async () => {
        reloader.close()
        await (await watch?.catch(() => undefined))?.close()
        service.notReady = 'shutting down'
        await server.close(config.server.limits.drain)
        await service.close()
        log.info('stopped')
        return 0
      })()
      return stopping
    },
  }
}

/** Milliseconds after the start. */
const WATCH_AFTER = 50

function tell(
  event: ReloadEvent,
  log: Log,
  service: Service,
  report: (checked: Checked, diagnostics: readonly Diagnostic[]) => void,
): void {
  switch (event.kind) {
    case 'reloaded':
      report(event.checked, event.checked.diagnostics)
      log.info(`reloaded in ${event.milliseconds.toFixed(0)} ms`)
      return
    case 'rejected':
      report(event.checked, event.diagnostics)
      log.error('the edit is not taken; the configuration before it goes on serving')
      service.notReady = undefined
      return
    case 'held':
    case 'unchanged':
      return
  }
}
