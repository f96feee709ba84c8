// Applies an edited file as the next app, or reports its errors. Of several waiting edits, only the newest is
// applied.

import { performance } from 'node:perf_hooks'
import { clearTimeout, setTimeout } from 'node:timers'
import { hideSecrets } from '../config/hide-secrets.ts'
import { parseInThread } from '../config/yaml/parse-in-thread.ts'
import { listWidenings } from '../describe/access-summary.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { readStamp } from '../lib/file-watch/follow-file.ts'
import { hasConsoleRole } from '../model/roles.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { App } from './app.ts'
import {
  type CheckedConfig,
  type CheckOptions,
  type ConfigSource,
  checkConfig,
  isValid,
  type ValidConfig,
} from './check-config.ts'
import type { ResetReason } from './client-writes.ts'
import type { InstallResult } from './install-app.ts'

export type ReloadEvent =
  | {
      readonly kind: 'reloaded'
      readonly milliseconds: number
      readonly checked: CheckedConfig & ValidConfig
    }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'rejected'
      readonly checked: CheckedConfig
      readonly diagnostics: readonly Diagnostic[]
    }
  /** Production: the edit would widen access, and waits until a second reading gives the same content. */
  | { readonly kind: 'held'; readonly widenings: readonly string[] }

interface ReloadOptions {
  readonly source: ConfigSource
  readonly check: CheckOptions
  live(): App
  readonly durable: boolean
  apply(next: ValidConfig, reset: ResetReason | undefined): Promise<InstallResult>
  readonly log: Log
  readonly liveHash: string
  readonly onEvent: (event: ReloadEvent) => void
  /** Memory databases only: whether an edit of `data` resets the content to it. */
  readonly reseed?: boolean
  readonly holdFor?: number
}

export interface ReloadRequest {
  /** Memory databases only: resets the content to `data`, even when `data` was not edited. */
  readonly data?: boolean
  /** Errors are reported even when they were reported before. */
  readonly awaited?: boolean
}

interface Reloader {
  reload(request?: ReloadRequest): Promise<void>
  close(): void
}

const MAX_HOLD_MS = 1000

export function createReloader(options: ReloadOptions): Reloader {
  const { live, log, onEvent } = options
  let liveHash = options.liveHash
  let rejectedHash: string | undefined
  let heldHash: string | undefined
  let holding: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let waiting = false
  let dataAsked = false
  let closed = false

  async function reloadOnce(): Promise<void> {
    const started = performance.now()
    const before = await readStamps(options.source)
    const checked = await checkConfig(options.source, { ...options.check, parse: parseInThread })
    if (closed) return
    // The file was saved again while it was read, so the text may be incomplete.
    if ((await readStamps(options.source)) !== before) {
      waiting = true
      return
    }
    if (checked.hash === liveHash && !dataAsked) {
      if (rejectedHash !== undefined || heldHash !== undefined)
        log.info('the edit changes nothing in the configuration')
      rejectedHash = undefined
      heldHash = undefined
      onEvent({ kind: 'unchanged' })
      return
    }
    if (!isValid(checked)) {
      reject(checked, checked.diagnostics)
      return
    }
    const { config } = checked
    const opened = listWidenings(live().access, checked.access)
    if (opened.length > 0 && config.server.environment === 'production' && heldHash !== checked.hash) {
      heldHash = checked.hash
      for (const sentence of opened)
        log.warn(`SECURITY-WIDENING (held until it is read a second time): ${sentence}`)
      onEvent({ kind: 'held', widenings: opened })
      clearTimeout(holding)
      holding = setTimeout(() => void reload(), options.holdFor ?? MAX_HOLD_MS)
      return
    }
    const previous = live().config
    const edited =
      JSON.stringify([previous.data, previous.fake]) !== JSON.stringify([config.data, config.fake])
    // A file without `data` must not delete entries.
    const reason = edited && hasData(config) ? 'edited' : undefined
    const asked = dataAsked || (edited && options.reseed === true)
    const applied = await options.apply(checked, asked ? 'asked' : reason)
    const diagnostics = [...checked.diagnostics, ...hideSecrets(applied.diagnostics, checked.secrets.texts)]
    dataAsked = false
    if (!applied.ok) {
      reject(checked, diagnostics)
      return
    }
    liveHash = checked.hash
    rejectedHash = undefined
    heldHash = undefined
    for (const sentence of opened) log.warn(`SECURITY-WIDENING: ${sentence}`)
    for (const key of needRestart) {
      if (JSON.stringify(key.of(previous)) !== JSON.stringify(key.of(config))) {
        log.warn(`${key.name} changed: it takes effect at the next start`)
      }
    }
    if (applied.reset) log.info('the content was replaced by what data says')
    else if (edited) log.info(keptMessage(config, options.durable))
    const milliseconds = performance.now() - started
    onEvent({ kind: 'reloaded', milliseconds, checked: { ...checked, diagnostics } })
  }

  function reject(checked: CheckedConfig, diagnostics: readonly Diagnostic[]): void {
    dataAsked = false
    if (rejectedHash === checked.hash) return
    rejectedHash = checked.hash
    onEvent({ kind: 'rejected', checked, diagnostics })
  }

  function reload({ data = false, awaited = false }: ReloadRequest = {}): Promise<void> {
    if (closed) return Promise.resolve()
    dataAsked ||= data
    if (awaited) rejectedHash = undefined
    if (running !== undefined) {
      waiting = true
      return running
    }
    running = (async () => {
      do {
        waiting = false
        try {
          await reloadOnce()
        } catch (error) {
          log.error({ error }, 'the configuration could not be reloaded')
        }
      } while (waiting && !closed)
      // Cleared in the same turn as the check of `waiting`, so that a later call starts a new round.
      running = undefined
    })()
    return running
  }

  return {
    reload,
    close() {
      closed = true
      clearTimeout(holding)
    },
  }
}

function hasData({ data, fake }: NonNullable<CheckedConfig['config']>): boolean {
  return Object.keys(data).length > 0 || Object.keys(fake.counts).length > 0
}

function keptMessage(config: NonNullable<CheckedConfig['config']>, durable: boolean): string {
  if (!hasData(config)) return 'data was removed: entries stay'
  const kept = 'data changed: new content-types got theirs, the others keep their entries'
  return durable ? kept : `${kept}, since somebody has written; --reseed or the next start puts them back`
}

function readStamps(source: ConfigSource): Promise<string> {
  return 'file' in source ? readStamp(source.file) : Promise.resolve('')
}

const needRestart: readonly {
  readonly name: string
  of(config: NonNullable<CheckedConfig['config']>): unknown
}[] = [
  { name: 'server.host', of: (config) => config.server.host },
  { name: 'server.port', of: (config) => config.server.port },
  { name: 'server.workers', of: (config) => config.server.workers },
  {
    name: 'server.limits',
    of: ({ server }) => ({ ...server.limits, bootstrap: undefined, rate: undefined }),
  },
  { name: 'server.metrics', of: (config) => config.server.metrics },
  { name: 'server.log', of: (config) => config.server.log },
  // The console is on for the first role that has it; later ones follow an edit.
  { name: 'console', of: ({ console, auth }) => console ?? hasConsoleRole(auth.roles) },
  { name: 'database', of: ({ database }) => ({ ...database, migrations: undefined }) },
]
