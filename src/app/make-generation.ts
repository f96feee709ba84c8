// Makes a generation from a configuration without errors, or returns the errors in users' code: all errors that can be
// found before a table is changed.

import type { AttemptStore } from '../auth/attempt-store.ts'
import type { Database } from '../databases/database.ts'
import type { Diagnostic } from '../errors/diagnostic.ts'
import type { NotReady } from '../http/gateway.ts'
import type { Log } from '../log/create-log.ts'
import type { Monitoring } from '../monitoring/monitoring.ts'
import type { Outbox } from '../plugins/mailer.ts'
import type { MemoryFiles } from '../plugins/memory-files.ts'
import type { RequestWatch } from '../request-log/request-watch.ts'
import { buildLayout } from '../sql/build-layout.ts'
import { type Customization, customize, type ProgramHooks } from '../user-code/customize.ts'
import { nextTurn } from '../util/next-turn.ts'
import type { ValidConfig } from './check-config.ts'
import { compileGeneration } from './compile-generation.ts'
import type { Generation } from './generation.ts'
import type { Instance } from './instance.ts'

export interface GenerationNeeds extends ValidConfig {
  /** The hooks of the program that embeds the CMS. */
  readonly hooks: ProgramHooks
  readonly database: Database
  readonly outbox: Outbox
  readonly memoryFiles: MemoryFiles
  /** The counters of rate limits. */
  readonly tries: AttemptStore
  readonly log: Log
  readonly requestWatch: RequestWatch | undefined
  readonly monitoring: Monitoring | undefined
  notReady(): NotReady | undefined | Promise<NotReady | undefined>
  /** Called with the name of the API token of every request that has one. */
  tokenUsed(name: string): void
  readonly instance: Instance
  /** Called within each transaction that writes. */
  onWrite(): void
}

export interface GenerationOutcome {
  /** Undefined when there are errors. */
  readonly generation: Generation | undefined
  readonly customization: Customization
  readonly diagnostics: readonly Diagnostic[]
}

export async function makeGeneration(needs: GenerationNeeds): Promise<GenerationOutcome> {
  const {
    config,
    model,
    own,
    plugins,
    actions,
    hooks,
    database,
    outbox,
    memoryFiles,
    tries,
    log: main,
    requestWatch,
    monitoring,
    notReady,
    tokenUsed,
    instance,
    onWrite,
  } = needs
  const log = { info: (message: string) => main.info(message), warn: (message: string) => main.warn(message) }
  const diagnostics: Diagnostic[] = []
  const report = (fault: Diagnostic): void => void diagnostics.push(fault)
  const customization = await customize({ config, model, actions, own, hooks, log, report })
  if (diagnostics.some(isError)) return { generation: undefined, customization, diagnostics }
  await nextTurn()
  const generation = compileGeneration({
    config,
    model,
    plugins,
    actions,
    layout: buildLayout(model),
    database,
    notReady,
    onFault: (fault, requestId) =>
      main.error({ error: fault, requestId }, 'a request failed by an internal error'),
    outbox,
    memoryFiles,
    tries,
    log,
    requestWatch,
    monitoring,
    tokenUsed,
    customization,
    instance,
    onWrite,
  })
  await nextTurn()
  diagnostics.push(...(await generation.check()))
  return {
    generation: diagnostics.some(isError) ? undefined : generation,
    customization,
    diagnostics,
  }
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error'
}
