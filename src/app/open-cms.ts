// Opens an instance of a checked configuration for the embedding program.

import { hashPassword, hashWeakly } from '../access/hash-password.ts'
import { createRoleTokens } from '../access/role-tokens.ts'
import { formatReport } from '../config/format-diagnostic.ts'
import { normalizeTrouble } from '../config/normalize-trouble.ts'
import { type InjectFetch, injectFetch } from '../http/inject.ts'
import { openServer } from '../http/open-server.ts'
import { type Clock, createClock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ConfigError, type Diagnostic } from '../lib/errors/diagnostic.ts'
import { errorClasses } from '../lib/errors/error-classes.ts'
import type { ContentType } from '../model/content-type.ts'
import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import { createLog } from '../observe/log/create-log.ts'
import type { Snapshot } from '../storage/database.ts'
import { createRequestHistory } from '../testing/requests/request-history.ts'
import { getEntries } from '../user-code/entries.ts'
import type { ProgramHooks } from '../user-code/user-lifecycles.ts'
import { createUserModules } from '../user-code/user-modules.ts'
import { type CountByType, makeEntry } from '../write/seeding/fake/make-entry.ts'
import { askGraphql, type CallerOptions, fetchAs } from './callers.ts'
import {
  type CheckedConfig,
  type CheckOptions,
  type ConfigSource,
  isValid,
  loadCodeAgain,
  type ValidConfig,
} from './check-config.ts'
import type { Cms, CmsOptions } from './cms.ts'
import { copyContent, restoreContent } from './content-copies.ts'
import { followChanges } from './follow-changes.ts'
import { start } from './main.ts'
import type { FileToolsSettings } from './open-file-tools.ts'
import { buildConsoleUrl, openConsole } from './serve-console.ts'

interface OpenOptions {
  readonly checked: CheckedConfig & ValidConfig
  readonly from: ConfigSource
  readonly check: CheckOptions
  readonly options: CmsOptions
  readonly clock: Clock
  /** Epoch milliseconds. */
  readonly readAt: number
  /** Memory databases only: the content of an instance of the same configuration. */
  readonly content?: Snapshot
  readonly fileTools?: FileToolsSettings | undefined
}

export interface OpenedCms {
  readonly cms: Cms
  /** May do everything. */
  readonly asDeveloper: InjectFetch
}

export async function openCms(opening: OpenOptions): Promise<OpenedCms> {
  const { checked, from, check, options, clock, readAt, content, fileTools } = opening
  const { config } = checked
  const { log: write, testing = false } = options
  const roleTokens = createRoleTokens()
  const access = openConsole(config, { byDefault: false, tokens: roleTokens })
  const log = createLog({
    level: write === undefined ? 'silent' : config.server.log.level,
    format: 'json',
    colors: false,
    write: write ?? (() => {}),
  })
  const warn = ({ source: text }: CheckedConfig, warnings: readonly Diagnostic[]): void => {
    if (warnings.length > 0) log.warn(formatReport(text, warnings, { colors: false }))
  }
  let current: CheckedConfig = checked
  const opened = await start(checked, {
    source: from,
    check,
    log,
    readAt,
    content,
    now: () => clock.now().getTime(),
    hashPassword: testing ? hashWeakly : hashPassword,
    testing,
    roleTokens,
    logRequests: write !== undefined && Boolean(config.server.log.requests),
    hooks: buildHooks(options),
    console: access,
    openTools:
      fileTools &&
      (async (server) => {
        const { openFileTools } = await import('./open-file-tools.ts')
        return openFileTools(server, { source: from, check, ...fileTools })
      }),
    onReload(event) {
      if (event.kind === 'reloaded') {
        current = event.checked
        warn(event.checked, event.checked.diagnostics)
      }
      if (event.kind === 'rejected') log.error(buildConfigError(event.checked, event.diagnostics).message)
    },
  })
  if ('diagnostics' in opened) throw buildConfigError(checked, opened.diagnostics)
  const { server, warnings } = opened
  const { environment } = server
  if (content === undefined) warn(checked, [...checked.diagnostics, ...warnings])
  if (options.watch === true && 'file' in from) await server.follow(false)

  const asked = createRequestHistory()
  const transportOptions = {
    ...server.transportOptions,
    handler: asked.handler(server.transportOptions.handler),
  }
  const fetch = injectFetch(transportOptions)
  const made: CountByType = new Map()
  const typeNamed = (name: string): ContentType => getType(server.app.model, name)
  const callers: CallerOptions = { fetch, roleTokens, current: () => server.app }
  const { on, changes, end } = followChanges(
    () => server.app,
    (error) => log.error({ error }, 'a listener failed'),
  )
  const close = (): Promise<void> => {
    end()
    return server.close()
  }
  const entries = ((type: string) => {
    typeNamed(type)
    return getEntries(type, () => server.app)
  }) as Cms['entries']
  const cms: Cms = {
    fetch,
    on,
    changes,
    as: (caller) => fetchAs(callers, caller),
    graphql: (query, variables, { as } = {}) =>
      askGraphql(
        as === undefined ? fetch : fetchAs(callers, as),
        server.app.graphqlEndpoint,
        query,
        variables,
      ),
    advance: clock.advance,
    async listen(port = config.server.port, host = config.server.host) {
      const transport = await openServer({ ...transportOptions, transport: options.transport })
      const bound = await server.listen(transport, port, host)
      const url = `http://${host}:${bound.port}`
      return { port: bound.port, url, ...(access && { consoleUrl: buildConsoleUrl(url, access) }) }
    },
    entries,
    transaction: async (task) => server.app.content.inTransaction(() => task({ entries })),
    requests: asked.list,
    trouble(rules, { seed = 0 } = {}) {
      if (config.server.environment === 'production')
        throw new TypeError('trouble(): responses are not disturbed in production')
      server.disturb(normalizeTrouble({ seed, rules }))
    },
    make: (async (type: string, data: Readonly<Record<string, unknown>> = {}) =>
      makeEntry(server.app.content, typeNamed(type), data, made)) as Cms['make'],
    errors: errorClasses,
    outbox: environment.outbox.mails,
    snapshot: () => copyContent(environment),
    restore(snapshot) {
      restoreContent(environment, server.app, snapshot)
      asked.clear()
      made.clear()
    },
    async reload({ data = false } = {}) {
      const event = await server.reload({ data, awaited: true })
      if (event?.kind === 'rejected') throw buildConfigError(event.checked, event.diagnostics)
    },
    async fork() {
      const copy = copyContent(environment)
      const own = { ...check, modules: createUserModules() }
      const again = await loadCodeAgain(current, own)
      if (!isValid(again)) throw buildConfigError(again, again.diagnostics)
      const itsClock = createClock(options.clock, clock.ahead)
      const copied = { ...opening, checked: again, check: own, clock: itsClock, content: copy }
      return (await openCms(copied)).cms
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return { cms, asDeveloper: fetchAs(callers, { token: roleTokens.everything() }) }
}

export function buildConfigError({ source }: CheckedConfig, diagnostics: readonly Diagnostic[]): ConfigError {
  return new ConfigError(formatReport(source, diagnostics, { colors: false }), diagnostics)
}

function buildHooks({ register, bootstrap, lifecycles }: CmsOptions): ProgramHooks {
  return {
    ...(register === undefined ? {} : { register }),
    ...(bootstrap === undefined ? {} : { bootstrap }),
    ...(lifecycles === undefined ? {} : { lifecycles }),
  }
}

function getType(model: Model, name: string): ContentType {
  const type = model.contentTypes.get(expandTypeName(name, model.contentTypes.keys()) ?? '')
  if (type === undefined) throw new ApiError('NotFoundError', `no content-type "${name}"`)
  return type
}
