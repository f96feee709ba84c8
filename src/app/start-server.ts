// `cms-run cms.yaml`: runs a server from one file, with reloads, until a signal ends it.

import { setTimeout as wait } from 'node:timers/promises'
import { warmDatabase } from '../databases/open-database.ts'
import { describeConfigChanges } from '../describe/config-changes.ts'
import { firstPath } from '../describe/start-banner.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { openServer, warmServer } from '../http/open-server.ts'
import { uwsAdvice } from '../http/uws/uws-binding.ts'
import { createLog } from '../log/create-log.ts'
import { notInMemory } from '../seeding/seed-content.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { askForAll, measureAll } from '../workers/ask-workers.ts'
import { type Checked, checkConfig, isValid } from './check-config.ts'
import { openRuntime } from './runtime.ts'
import { consoleUrl, openConsole } from './serve-console.ts'
import {
  announce,
  listenFailure,
  logFormat,
  logsRequests,
  type RunningServer,
  type Served,
  type StartFailure,
  type StartOptions,
  urlOf,
} from './serving.ts'

/** Milliseconds after the start until files are watched, so that the first requests are answered before. */
const WATCH_AFTER = 50

export async function startServer(options: StartOptions): Promise<RunningServer | Served | StartFailure> {
  const { io, workerPort, transport } = options
  const isWorker = workerPort !== undefined
  const source = { file: options.file }
  const check = { ...options.check, modules: createUserModules() }
  /** The warnings of the file as it was read last: each is said once, not after every edit. */
  let said: ReadonlySet<string> = new Set()
  const report = (checked: Checked, diagnostics: readonly Diagnostic[]): void => {
    const news = diagnostics.filter((one) => one.severity === 'error' || !said.has(textOf(one)))
    if (news.length > 0) io.report(checked.source, news)
  }
  warmDatabase()
  if (transport === undefined) warmServer()
  const readAt = Date.now()
  const checked = await checkConfig(source, check)
  if (!isValid(checked)) {
    report(checked, checked.diagnostics)
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
  report(checked, checked.diagnostics)
  said = new Set(checked.diagnostics.map(textOf))
  if (options.reseed === true && config.database.client !== 'memory') {
    report(checked, [notInMemory()])
    return { exitCode: 1 }
  }
  if (config.server.workers > 1 && !isWorker) {
    const { startWorkers } = await import('./start-workers.ts')
    return startWorkers({ options, checked, log, readAt })
  }
  let served = config
  const access = openConsole(config, {
    byDefault: true,
    shared: isWorker,
    keptFor: { file: options.file, env: check.env },
  })
  const opened = await openRuntime(checked, {
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
    onReload(event) {
      if (event.kind === 'reloaded') {
        report(event.checked, event.checked.diagnostics)
        said = new Set(event.checked.diagnostics.map(textOf))
        const { config: now } = event.checked
        const changes = now === undefined ? '' : describeConfigChanges(served, now)
        served = now ?? served
        log.info(`reloaded in ${event.milliseconds.toFixed(0)} ms${changes === '' ? '' : `: ${changes}`}`)
      } else if (event.kind === 'rejected') {
        report(event.checked, event.diagnostics)
        log.error('the edit has errors: the previous configuration stays in use')
      }
    },
  })
  if ('diagnostics' in opened) {
    report(checked, opened.diagnostics)
    return { exitCode: 1 }
  }
  const { runtime, warnings } = opened
  report(checked, warnings)

  const server = await openServer({
    ...runtime.serverOptions,
    transport,
    // While a file is being written, speed matters little; `cms-run doctor` tells it at any time.
    onFallback(reason) {
      if (config.server.environment === 'production')
        log.info(`serving over node:http, which is slower: ${reason}; ${uwsAdvice(process.versions.node)}`)
    },
  })
  let port: number
  try {
    const { host } = config.server
    port = (await runtime.listen(server, workerPort ?? config.server.port, host, isWorker)).port
  } catch (error) {
    await runtime.close()
    io.fail(listenFailure(error, config.server))
    return { exitCode: 1 }
  }
  if (options.watch && !isWorker) {
    wait(WATCH_AFTER)
      .then(() => runtime.follow(options.poll ?? false))
      .catch((error) =>
        log.error({ error }, 'the file cannot be watched: edits take effect at the next start'),
      )
  }
  const url = urlOf(config, port)
  log.info(
    {
      transport: server.name,
      database: config.database.client,
      durable: runtime.service.database.durable,
    },
    `listening on ${url}`,
  )
  const pages = access && consoleUrl(url, access)
  if (!isWorker) announce(url, config, model, options, log, pages)

  let stopping: Promise<number> | undefined
  return {
    port,
    url,
    firstUrl: pages ?? url + (firstPath(config, model) ?? ''),
    transport: server.name,
    reload: () => runtime.reload(),
    contract: () => runtime.service.contract(),
    measured: runtime.measured,
    look: runtime.look,
    stop() {
      stopping ??= runtime.close().then(() => {
        log.info('stopped')
        return 0
      })
      return stopping
    },
  }
}

function textOf({ code, message }: Diagnostic): string {
  return `${code} ${message}`
}
