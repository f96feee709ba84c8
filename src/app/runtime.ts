// Opens everything that runs for a checked configuration: the service, its servers, reloads, and the watch on the
// files. Used by the command line, each worker and `createCms`, which add what differs between them.

import { hideSecrets } from '../config/hide-secrets.ts'
import type { TroubleConfig } from '../config/server-config.ts'
import type { Snapshot } from '../databases/database.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import { securityHeaders } from '../http/gateway.ts'
import { createHeaderSet } from '../http/header-set.ts'
import type { HttpServer, OnAnswered, ServerOptions } from '../http/server.ts'
import { type Log, showsDebug, showsInfo } from '../log/create-log.ts'
import type { MetricFamily } from '../metrics/metrics.ts'
import { type MonitoringOptions, openMonitoring } from '../monitoring/monitoring.ts'
import { createRequestLog } from '../request-log/request-log.ts'
import { watchTogether } from '../request-log/request-watch.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import { withTrouble } from '../trouble/trouble.ts'
import type { ProgramHooks } from '../user-code/customize.ts'
import type { Checked, CheckOptions, ConfigSource, ValidConfig } from './check-config.ts'
import { followFiles } from './followed-files.ts'
import { type Instance, server } from './instance.ts'
import { openService, type Service } from './open-service.ts'
import { createReloader, type ReloadEvent, type ReloadRequest } from './reload.ts'
import { type ConsoleAccess, type ConsoleNeeds, serveConsole } from './serve-console.ts'

/** Longest request target in bytes. */
const MOST_URL = 16_384

export interface RuntimeOptions {
  readonly source: ConfigSource
  readonly check: CheckOptions
  readonly log: Log
  /** When the configuration was read, in epoch milliseconds. */
  readonly readAt: number
  /** The hooks of the program that embeds the CMS. */
  readonly hooks?: ProgramHooks
  /** Other processes serve the same configuration. */
  readonly shared?: boolean
  /** By default that of a server. */
  readonly instance?: Instance
  /** Memory only: the content of a service of the same configuration. */
  readonly content?: Snapshot | undefined
  /** Whether each request is logged. */
  readonly logRequests: boolean
  /** Memory only: whether an edit of `data` resets the content to it. */
  readonly reseed?: boolean
  /** In a worker: collects the metrics of all workers. */
  readonly collectAll?: MonitoringOptions['collectAll'] | undefined
  /** Undefined when there is none. */
  readonly console?: ConsoleAccess | undefined
  /** In a worker: what all of them have for the console. */
  readonly lookAtAll?: ConsoleNeeds['lookAtAll']
  onReload(event: ReloadEvent): void
}

export interface Runtime {
  readonly service: Service
  /** The options for opening a transport. */
  readonly serverOptions: ServerOptions
  /** Resolves when the server accepts requests. `close` closes the server, too. */
  listen(server: HttpServer, port: number, host: string, shared?: boolean): Promise<{ readonly port: number }>
  /** Starts to watch the files; resolves when edits are noticed. */
  follow(poll: boolean): Promise<void>
  /** Resolves with the outcome; undefined after `close` or an internal error. */
  reload(request?: ReloadRequest): Promise<ReloadEvent | undefined>
  /** Disturbs answers as a program says, in place of the file; undefined: as the file says. */
  disturb(trouble: TroubleConfig | undefined): void
  /** What the process counted and measured; nothing where metrics are off. */
  measured(): readonly MetricFamily[]
  /** What this process has for the console; nothing where there is none. */
  look(given: unknown): unknown
  /** Closes everything; running requests get up to `server.limits.drain` to be answered. */
  close(): Promise<void>
}

export type OpenedRuntime =
  | { readonly runtime: Runtime; readonly warnings: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }

export async function openRuntime(
  checked: Checked & ValidConfig,
  options: RuntimeOptions,
): Promise<OpenedRuntime> {
  const { log, hooks, shared, collectAll, onReload } = options
  const { environment, limits, trustProxy, metrics, trouble, log: logging } = checked.config.server
  const requestLog =
    options.logRequests && showsInfo(logging.level)
      ? createRequestLog(log, showsDebug(logging.level), partOf(logging.requests))
      : undefined
  const monitoring = metrics === undefined ? undefined : openMonitoring({ ...metrics, collectAll })
  const access = options.console
  const tracing = await openTracing(log)
  const watches = [requestLog, access?.traffic, tracing].filter((one) => one !== undefined)
  const requestWatch = watchTogether(watches)
  const opened = await openService(checked, log, {
    requestWatch,
    monitoring,
    ...(hooks === undefined ? {} : { hooks }),
    ...(shared === undefined ? {} : { shared }),
    instance: options.instance ?? (access && { ...server, roleTokens: access.tokens }),
    content: options.content,
  })
  if ('diagnostics' in opened) {
    monitoring?.close()
    return { diagnostics: hideSecrets(opened.diagnostics, checked.secrets.texts) }
  }
  const { service } = opened
  const warnings = hideSecrets(opened.warnings, checked.secrets.texts)
  const servers: HttpServer[] = []
  let lastReload: ReloadEvent | undefined
  const reloader = createReloader({
    ...options,
    service,
    liveHash: checked.hash,
    onEvent(event) {
      lastReload = event
      monitoring?.reloaded(event.kind)
      console?.onReload(event)
      // The files that an edit names are followed from now on, whether or not it was applied.
      if (event.kind === 'reloaded') files.taken(event.checked.files)
      if (event.kind === 'rejected') files.refused(event.checked.files)
      onReload(event)
    },
  })
  const files = followFiles({
    files: checked.files,
    readAt: options.readAt,
    log,
    onChange: () => void reloader.reload(),
  })
  let closing: Promise<void> | undefined

  let programmed: TroubleConfig | undefined
  const disturbed = withTrouble(
    service.live.handler,
    () => programmed ?? service.live.current.config.server.trouble,
  )
  if (trouble !== undefined) log.warn('answers are disturbed on purpose: server.trouble')
  const serverOptions: ServerOptions = {
    handler: requestWatch?.handler(disturbed) ?? disturbed,
    onAnswered: both(both(requestLog?.answered, monitoring?.answered), tracing?.answered),
    limits: { ...limits, url: MOST_URL },
    trustProxy,
    headers: createHeaderSet(securityHeaders(environment === 'production')),
    onFault: (error, requestId) => log.error({ error, requestId }, 'a request failed by an internal error'),
    onWarning: (message) => log.warn(message),
  }
  const console =
    access === undefined
      ? undefined
      : serveConsole(access, {
          ...{ source: options.source, check: options.check, checked, service, serverOptions },
          transport: () => servers[0]?.name ?? '',
          lookAtAll: options.lookAtAll,
        })
  const runtime: Runtime = {
    service,
    serverOptions: console === undefined ? serverOptions : { ...serverOptions, handler: console.handler },
    async listen(server, port, host, shared) {
      const bound = await server.listen(port, host, shared)
      servers.push(server)
      return bound
    },
    follow: (poll) => files.start(poll),
    async reload(request) {
      lastReload = undefined
      await reloader.reload(request)
      return lastReload
    },
    disturb(trouble) {
      programmed = trouble
    },
    measured: () => monitoring?.metrics.collect() ?? [],
    look: (given) => console?.look(given),
    close() {
      closing ??= (async () => {
        reloader.close()
        await files.close()
        service.drain()
        await Promise.all(servers.map((server) => server.close(limits.drain)))
        await service.close()
        monitoring?.close()
      })()
      return closing
    },
  }
  return { runtime, warnings }
}

function both(first: OnAnswered | undefined, second: OnAnswered | undefined): OnAnswered | undefined {
  if (first === undefined || second === undefined) return first ?? second
  return (request, reply, milliseconds) => {
    first(request, reply, milliseconds)
    second(request, reply, milliseconds)
  }
}

/** The part of the requests that is logged, where they are. */
function partOf(requests: boolean | number | undefined): number {
  return typeof requests === 'number' ? requests : 1
}
