// Turns a checked file into a server: open, migrate, seed, serve.

import { hideSecrets } from '../config/hide-secrets.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Log } from '../observe/log/create-log.ts'
import type { AgentTool } from '../plugins/agent-tools.ts'
import { contractDatabase } from '../storage/contract-database.ts'
import type { App } from './app.ts'
import type { CheckedConfig, ValidConfig } from './check-config.ts'
import { type Environment, type EnvironmentOptions, openEnvironment } from './environment.ts'
import { installApp } from './install-app.ts'
import { makeApp } from './make-app.ts'
import { type ObserverOptions, openObservers } from './observers.ts'
import { createServer, type Server, type ServerSettings } from './server.ts'

export interface StartOptions extends ServerSettings, ObserverOptions, EnvironmentOptions {
  /** Called with the first use. Undefined: agents cannot edit the file. */
  readonly openTools?: ((server: Server) => Promise<readonly AgentTool[]>) | undefined
}

type StartResult =
  | { readonly server: Server; readonly warnings: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }

export async function start(
  checked: CheckedConfig & ValidConfig,
  options: StartOptions,
): Promise<StartResult> {
  const { log } = options
  const hide = (diagnostics: readonly Diagnostic[]) => hideSecrets(diagnostics, checked.secrets.texts)
  const observers = await openObservers(checked.config, log, options)
  const roleTokens = options.roleTokens ?? options.console?.tokens
  const { openTools } = options
  let started: Server | undefined
  let opening: Promise<readonly AgentTool[]> | undefined
  const agentTools =
    openTools &&
    (async () => {
      if (started !== undefined) opening ??= openTools(started)
      return (await opening) ?? []
    })
  const opened = await open(checked, log, { ...options, ...observers, roleTokens, agentTools })
  if ('diagnostics' in opened) {
    observers.close()
    return { diagnostics: hide(opened.diagnostics) }
  }
  const { environment, app, warnings } = opened
  started = createServer(checked, options, { environment, first: app, observers })
  if (checked.config.server.trouble !== undefined)
    log.warn('responses are disturbed on purpose: server.trouble')
  return { server: started, warnings: hide(warnings) }
}

type OpenResult =
  | { readonly environment: Environment; readonly app: App; readonly warnings: readonly Diagnostic[] }
  | { readonly diagnostics: readonly Diagnostic[] }

export async function open(
  valid: ValidConfig,
  log: Log,
  options: EnvironmentOptions = {},
): Promise<OpenResult> {
  const environment = await openEnvironment(valid.config, log, options)
  if ('diagnostics' in environment) return environment
  const { database, shared, describes = false, content } = environment
  const { app, diagnostics } = await makeApp(valid, environment)
  if (app === undefined) {
    await environment.close()
    return { diagnostics }
  }
  // When several processes start at once, one creates the tables and loads the seed.
  const installed = await database.exclusively(async () => {
    const done = await installApp(app, environment)
    // An older configuration is not live yet.
    if (done.ok && !shared && content === undefined)
      await contractDatabase(database, valid.config.database.migrations)
    return done
  })
  if (!installed.ok) {
    await environment.close()
    return { diagnostics: installed.diagnostics }
  }
  environment.copyLater()
  valid.own.adopt()
  if (!describes) app.begin()
  return { environment, app, warnings: [...diagnostics, ...installed.diagnostics] }
}
