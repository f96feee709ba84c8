// Creates the request log, metrics, traces, and the console's traffic.

import type { Config } from '../config/config.ts'
import type { OnResponse } from '../http/server.ts'
import { type Log, showsDebug, showsInfo } from '../observe/log/create-log.ts'
import { type Monitoring, type MonitoringOptions, openMonitoring } from '../observe/monitoring/monitoring.ts'
import { createRequestLog } from '../observe/requests/request-log.ts'
import { type RequestWatch, watchTogether } from '../observe/requests/request-watch.ts'
import { openTracing } from '../observe/tracing/open-tracing.ts'
import type { ConsoleAccess } from './serve-console.ts'

export interface ObserverOptions {
  readonly logRequests: boolean
  readonly collectAll?: MonitoringOptions['collectAll'] | undefined
  readonly console?: ConsoleAccess | undefined
}

export interface Observers {
  readonly requestWatch: RequestWatch | undefined
  readonly monitoring: Monitoring | undefined
  readonly answered: OnResponse | undefined
  close(): void
}

export async function openObservers(
  { server }: Pick<Config, 'server'>,
  log: Log,
  { logRequests, collectAll, console }: ObserverOptions,
): Promise<Observers> {
  const { level, requests } = server.log
  const share = typeof requests === 'number' ? requests : 1
  const requestLog =
    logRequests && showsInfo(level) ? createRequestLog(log, showsDebug(level), share) : undefined
  const monitoring =
    server.metrics === undefined ? undefined : openMonitoring({ ...server.metrics, collectAll })
  const tracing = await openTracing(log)
  const watches = [requestLog, console?.traffic, tracing].filter((one) => one !== undefined)
  return {
    requestWatch: watchTogether(watches),
    monitoring,
    answered: all([requestLog?.answered, monitoring?.answered, tracing?.answered]),
    close: () => monitoring?.close(),
  }
}

function all(given: readonly (OnResponse | undefined)[]): OnResponse | undefined {
  const listeners = given.filter((one) => one !== undefined)
  if (listeners.length < 2) return listeners[0]
  return (request, reply, milliseconds) => {
    for (const listener of listeners) listener(request, reply, milliseconds)
  }
}
