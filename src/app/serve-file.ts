// Runs a server from one file, with reloads.

import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { databaseClients } from '../config/database-clients.ts'
import { describeConfigChanges } from '../describe/config-changes.ts'
import { getFirstPath } from '../describe/start-banner.ts'
import { openServer, warmServer } from '../http/open-server.ts'
import { buildUwsAdvice } from '../http/uws/uws-binding.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { createLog, type Log } from '../observe/log/create-log.ts'
import { warmDatabase } from '../storage/open-database.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { createNotInMemory } from '../write/seeding/seed-content.ts'
import { type CheckedConfig, checkConfig, isValid, type ValidConfig } from './check-config.ts'
import { start } from './main.ts'
import type { ReloadEvent } from './reload.ts'
import { buildConsoleUrl, openConsole } from './serve-console.ts'
import {
  announce,
  buildUrl,
  listenFailure,
  logFormat,
  logsRequests,
  type RunningServer,
  type ServerHandle,
  type ServerIo,
  type StartFailure,
  type StartOptions,
} from './serving.ts'
import { askForAll, measureAll } from './workers/ask-workers.ts'

/** The first requests are answered before. */
const WATCH_DELAY_MS = 50

export async function serveFile(options: StartOptions): Promise<RunningServer | ServerHandle | StartFailure> {
  const { io, workerPort, transport, runCases } = options
  const isWorker = workerPort !== undefined
  const source = { file: options.file }
  const check = { ...options.check, modules: createUserModules() }
  const reporter = createReporter(io)
  warmDatabase()
  if (transport === undefined) warmServer()
  const readAt = Date.now()
  const checked = await checkConfig(source, check)
  if (!isValid(checked)) {
    reporter.report(checked, checked.diagnostics)
    return { exitCode: 1 }
  }
  const { config, model } = checked
  const format = options.json === true ? 'json' : logFormat(config, io)
  const log = createLog({
    level: config.server.log.level,
    format,
    colors: io.colors,
    write: (line) => io.out(line),
    fd: io.fd,
    ...(isWorker ? { worker: process.pid } : {}),
  })
  options.onLog?.(log, format)
  reporter.reportFile(checked)
  if (options.reseed === true && databaseClients[config.database.client].keepsContent) {
    reporter.report(checked, [createNotInMemory()])
    return { exitCode: 1 }
  }
  if (config.server.workers > 1 && !isWorker) {
    const { startWorkers } = await import('./start-workers.ts')
    return startWorkers({ options, checked, log, readAt })
  }
  const access = openConsole(config, {
    byDefault: true,
    shared: isWorker,
    keptFor: { file: options.file, env: check.env },
  })
  const opened = await start(checked, {
    source,
    check,
    log,
    readAt,
    logRequests: logsRequests(config, io),
    shared: isWorker,
    reseed: options.reseed === true,
    collectAll: isWorker ? measureAll : undefined,
    lookAtAll: isWorker ? (given) => askForAll({ about: 'console', given }) : undefined,
    console: access,
    openTools:
      runCases &&
      (async (server) => {
        const { openFileTools } = await import('./open-file-tools.ts')
        return openFileTools(server, { source, check, runCases, follows: options.watch && !isWorker })
      }),
    onReload: (event) => reporter.reportReload(event, log),
  })
  if ('diagnostics' in opened) {
    reporter.report(checked, opened.diagnostics)
    return { exitCode: 1 }
  }
  const { server, warnings } = opened
  reporter.report(checked, warnings)

  const transportServer = await openServer({
    ...server.transportOptions,
    transport,
    // Outside production speed matters little; `cms-run doctor` shows the reason.
    onFallback(reason) {
      if (config.server.environment === 'production')
        log.info(
          `serving over node:http, which is slower: ${reason}; ${buildUwsAdvice(process.versions.node)}`,
        )
    },
  })
  let port: number
  try {
    const { host } = config.server
    port = (await server.listen(transportServer, workerPort ?? config.server.port, host, isWorker)).port
  } catch (error) {
    await server.close()
    io.fail(listenFailure(error, config.server))
    return { exitCode: 1 }
  }
  if (options.watch && !isWorker) {
    wait(WATCH_DELAY_MS)
      .then(() => server.follow(options.poll ?? false))
      .catch((error) =>
        log.error({ error }, 'the file cannot be watched: edits take effect at the next start'),
      )
  }
  const url = buildUrl(config, port)
  log.info(
    {
      transport: transportServer.name,
      database: config.database.client,
      durable: server.environment.database.durable,
    },
    `listening on ${url}`,
  )
  const pages = access && buildConsoleUrl(url, access)
  if (!isWorker) announce(url, config, model, options, log, pages)

  let stopping: Promise<number> | undefined
  return {
    port,
    url,
    firstUrl: pages ?? url + (getFirstPath(config, model) ?? ''),
    transport: transportServer.name,
    reload: () => server.reload(),
    contract: () => server.contract(),
    measured: server.measured,
    look: server.look,
    stop() {
      stopping ??= server.close().then(() => {
        log.info('stopped')
        return 0
      })
      return stopping
    },
  }
}

interface Reporter {
  report(checked: CheckedConfig, diagnostics: readonly Diagnostic[]): void
  reportFile(checked: CheckedConfig & ValidConfig): void
  reportReload(event: ReloadEvent, log: Log): void
}

/** Reports each warning once, not after every edit. */
function createReporter(io: ServerIo): Reporter {
  let reported: ReadonlySet<string> = new Set()
  let served: Config | undefined
  const getText = ({ code, message }: Diagnostic): string => `${code} ${message}`
  const reporter: Reporter = {
    report({ source }, diagnostics) {
      const news = diagnostics.filter((one) => one.severity === 'error' || !reported.has(getText(one)))
      if (news.length > 0) io.report(source, news)
    },
    reportFile(checked) {
      reporter.report(checked, checked.diagnostics)
      reported = new Set(checked.diagnostics.map(getText))
      served = checked.config
    },
    reportReload(event, log) {
      if (event.kind === 'reloaded') {
        const changes = served === undefined ? '' : describeConfigChanges(served, event.checked.config)
        reporter.reportFile(event.checked)
        log.info(`reloaded in ${event.milliseconds.toFixed(0)} ms${changes === '' ? '' : `: ${changes}`}`)
      } else if (event.kind === 'rejected') {
        reporter.report(event.checked, event.diagnostics)
        log.error('the edit has errors: the previous configuration stays in use')
      }
    },
  }
  return reporter
}
