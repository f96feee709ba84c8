// Opens the console of a running server and its key; its code is loaded with its first request.

import { deriveSecret } from '../access/process-secret.ts'
import { createRoleTokens, createSharedRoleTokens, type RoleTokens } from '../access/role-tokens.ts'
import type { Config } from '../config/config.ts'
import type { Console } from '../console/console.ts'
import type { LastNumbers, PageState, ProcessUpdate } from '../console/console-context.ts'
import { keepConsoleKey, makeConsoleKey } from '../console/console-key.ts'
import type { Reading } from '../console/described.ts'
import { createTraffic, type Traffic } from '../console/traffic.ts'
import { writeReport } from '../file-edits/plan-text.ts'
import { injectFetch } from '../http/inject.ts'
import type { ServedHandler, ServerOptions } from '../http/server.ts'
import { hasConsoleRole } from '../model/roles.ts'
import { uploadFolders } from '../plugins/plugin-host.ts'
import type { Database } from '../storage/database.ts'
import type { App } from './app.ts'
import { type CheckedConfig, type CheckOptions, type ConfigSource, checkConfig } from './check-config.ts'
import type { ReloadEvent } from './reload.ts'

export interface ConsoleAccess {
  /**
   * Allows everything: it is shown to the person who started the server, and never logged. Undefined in production, where
   * people log in.
   */
  readonly key: string | undefined
  /** Whether other machines are allowed. */
  readonly remote: boolean
  /** Where people open it, if the file says so. */
  readonly publicUrl: string | undefined
  readonly tokens: RoleTokens
  readonly traffic: Traffic
}

/** `shared`: the workers have one key. `keptFor`: in development the key of this file survives a restart. */
export function openConsole(
  { console, server, auth }: Config,
  options: {
    readonly byDefault: boolean
    readonly tokens?: RoleTokens
    readonly shared?: boolean
    readonly keptFor?: { readonly file: string; readonly env: CheckOptions['env'] }
  },
): ConsoleAccess | undefined {
  const { byDefault, shared = false, keptFor } = options
  const isStandard = byDefault && server.environment === 'development'
  const forUsers = hasConsoleRole(auth.roles)
  if (!(console ?? (forUsers || isStandard))) return undefined
  const isKept = keptFor !== undefined && server.environment === 'development'
  const makeKey = (): string => {
    if (shared) return deriveSecret('the key of the console')
    return isKept ? keepConsoleKey(keptFor.file, keptFor.env) : makeConsoleKey()
  }
  return {
    key: server.environment === 'production' ? undefined : makeKey(),
    // Users come from other machines.
    remote: console !== undefined || forUsers,
    publicUrl: server.publicUrl,
    tokens: options.tokens ?? (shared ? createSharedRoleTokens() : createRoleTokens()),
    traffic: createTraffic(() => Date.now()),
  }
}

/** The key is in the fragment, which browsers do not send. */
export function buildConsoleUrl(url: string, { key, publicUrl = url }: ConsoleAccess): string {
  return key === undefined ? `${publicUrl}/` : `${url}/#key=${key}`
}

export interface ConsoleOptions {
  readonly source: ConfigSource
  readonly check: CheckOptions
  readonly checked: CheckedConfig
  app(): App
  readonly database: Database
  readonly transportOptions: ServerOptions
  transport(): string
  /** In a worker: `look` of all workers; undefined when the first process does not answer. */
  readonly lookAtAll?:
    | ((given: PageState) => Promise<readonly { readonly answer: unknown }[] | undefined>)
    | undefined
}

interface ServedConsole {
  /** Answers the console's paths; passes on other requests. */
  readonly handler: ServedHandler
  onReload(event: ReloadEvent): void
  look(given: unknown): ProcessUpdate
}

const MAX_READINGS = 50
const OUTSIDE_ITS_FOLDER: readonly string[] = [
  '/',
  '/openapi.json',
  '/admin',
  '/admin/',
  '/llms.txt',
  '/llms-full.txt',
]

export function serveConsole(access: ConsoleAccess, options: ConsoleOptions): ServedConsole {
  const { app, database, transportOptions, source } = options
  const { handler: inner } = transportOptions
  const { console: setting, server } = options.checked.config ?? {}
  let readings: readonly Reading[] = []
  let loaded: ReadonlySet<string> = new Set(options.checked.files)
  const add = (
    outcome: Reading['outcome'],
    checked: Pick<CheckedConfig, 'source' | 'diagnostics'> | undefined,
    ms?: number,
  ): void => {
    const { number = 0 } = readings.at(-1) ?? {}
    const report = checked === undefined ? '' : writeReport(checked.source, checked.diagnostics).report
    const reading = {
      number: number + 1,
      at: Date.now(),
      outcome,
      report,
      ...(ms === undefined ? {} : { ms }),
    }
    readings = [...readings, reading].slice(-MAX_READINGS)
  }
  add('started', options.checked)

  function look(given: PageState): ProcessUpdate {
    access.traffic.wake()
    const after = (numbers: LastNumbers | undefined): number => numbers?.[process.pid] ?? 0
    const last = readings.at(-1)
    return {
      process: process.pid,
      live: readings.findLast(({ outcome }) => outcome === 'reloaded' || outcome === 'started')?.at ?? 0,
      wrong: last?.outcome === 'rejected' ? last.report : undefined,
      readings: readings.filter(({ number }) => number > after(given.readings)),
      requests: given.requests === undefined ? [] : access.traffic.after(after(given.requests)),
    }
  }

  async function open(): Promise<Console> {
    const { createConsole } = await import('../console/console.ts')
    return createConsole({
      door: {
        key: access.key,
        remote: access.remote,
        hosts: getHosts(server),
      },
      file: 'file' in source ? source.file : undefined,
      edit: typeof setting === 'object' && setting.edit,
      database,
      tokens: access.tokens,
      traffic: access.traffic,
      place: app,
      async lookAtAll(given) {
        const found = await options.lookAtAll?.(given)
        return found === undefined
          ? [look(given)]
          : found.map(({ answer: response }) => response as ProcessUpdate)
      },
      transport: options.transport,
      ask: injectFetch(transportOptions),
      async check(text) {
        const sent = text === undefined ? undefined : { text, loaded, uploads: uploadFolders(app().plugins) }
        const from = 'file' in source && sent !== undefined ? { file: source.file, sent } : source
        const checked = await checkConfig(from, options.check)
        return { ...checked, secrets: checked.secrets.texts }
      },
      onFault: transportOptions.onFault,
    })
  }
  let opening: Promise<Console> | undefined
  return {
    handler(request) {
      const { path } = request
      const isOther = !path.startsWith('/_console') && !OUTSIDE_ITS_FOLDER.includes(path)
      if (isOther && request.header('x-console-key') === undefined) return inner(request)
      const named = path === '/admin/' ? '/admin' : path
      if (!isOther && app().routes.some((route) => route.path === named)) return inner(request)
      opening ??= open()
      return opening.then((console) => (isOther ? console.pass(request, inner) : console.handler(request)))
    },
    look: (given) => look(given as PageState),
    onReload(event) {
      if (event.kind === 'reloaded') {
        loaded = new Set(event.checked.files)
        add('reloaded', event.checked, event.milliseconds)
      } else if (event.kind === 'rejected')
        add('rejected', { source: event.checked.source, diagnostics: event.diagnostics })
      else if (event.kind === 'held') add('held', undefined)
      else if (['rejected', 'held'].includes(readings.at(-1)?.outcome ?? '')) add('unchanged', undefined)
    },
  }
}

function getHosts(server: Config['server'] | undefined): readonly string[] {
  if (server === undefined) return []
  const own = URL.canParse(server.publicUrl ?? '') ? [new URL(server.publicUrl ?? '').hostname] : []
  return [server.host.toLowerCase(), ...own]
}
