// THE CONTRACT of a plugin: settings in; data for the model first (contribution), behaviour second (activate). Each
// socket is declared beside the code it plugs into; this file only sums them up.

import type { StoredFiles } from '../archive/stored-files.ts'
import type { AuthStrategy, Guard } from '../auth/guard.ts'
import type { Config } from '../config/config.ts'
import type { PluginRule } from '../config/plugin-rule.ts'
import type { Content } from '../content/content.ts'
import type { Lifecycle } from '../content/lifecycle.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../errors/diagnostic.ts'
import type { Route } from '../http/route.ts'
import type { Checking } from '../model/checking.ts'
import type { ModelContribution } from '../model/contribution.ts'
import type { Model } from '../model/model.ts'
import type { Params } from '../plan/params.ts'
import type { GraphqlNames } from './graphql-extension.ts'
import type { DescribeOperations } from './openapi-operation.ts'
import type { Provided, Service } from './services.ts'

export interface Plugin {
  readonly name: string
  /** On where the file does not name it, as in a Strapi project that was never touched. */
  readonly onByDefault?: boolean
  /** What the schema cannot say of its settings. Asked of every file, whether it switches the plugin on or off. */
  readonly checkSettings?: PluginRule
  /** Settings with which it keeps nothing outside the process: for a try. */
  inMemory?(config: PluginSettings['config']): PluginSettings['config']
  /** What the file has wrong that concerns this plugin, on or off; `plugins` are all there are. */
  checkModel?(checking: Checking, plugins: readonly Plugin[]): void
  readonly graphqlNames?: GraphqlNames
  /** What those do who have no token yet: actions, each with a line for people. */
  readonly accountActions?: readonly (readonly [action: string, what: string])[]
  /** Reads the settings once for every configuration. Faults are reported with paths from the file's root. */
  enable(settings: PluginSettings): EnabledPlugin
}

export interface PluginSettings {
  /** `plugins.<name>.config` as written. */
  readonly config: Readonly<Record<string, unknown>>
  /** The whole configuration, for what a plugin shares with the core (`auth.roles`, `server.publicUrl`). */
  readonly whole: Config
  readonly report: Report
}

export interface EnabledPlugin {
  /** Content-types, attributes and actions, before the model exists. */
  readonly contribution: ModelContribution
  /** Looks at what was made of the configuration and of the code it names, before anything starts. */
  checkWithCode?(built: BuiltConfig): readonly Diagnostic[]
  /** Addresses beside those of content-types that a start shows. */
  readonly addresses?: readonly string[]
  /** Code that the settings name. */
  readonly code?: readonly PluginCode[]
  readonly describeOperations?: DescribeOperations
  /** For archives, without a generation. */
  openStoredFiles?(exported: (reference: string) => unknown): Promise<StoredFiles | undefined>
  /** Called once for every generation; everything it makes belongs to that generation. */
  activate?(context: PluginContext): Activation
}

export interface PluginCode {
  /** `./file.ts` or `./file.ts#export`; a function. */
  readonly text: string
  readonly path: DiagnosticPath
  /** What it must be, as a sentence. */
  readonly rule: string
}

export interface BuiltConfig {
  readonly model: Model
  readonly actions: ReadonlySet<string>
  /** Whether there is a `register`, which may change what GraphQL serves. */
  readonly registers: boolean
}

/** What of the house a plugin is given; it reaches for nothing else. */
export interface PluginContext {
  readonly model: Model
  readonly content: Content
  readonly guard: Guard
  /** Every action there is, in the order of the model. */
  readonly actions: ReadonlySet<string>
  /** What every path of the API begins with: `/api`. */
  readonly prefix: string
  /** A query string as the REST API reads it. Both throw ValidationError. */
  parseQuery(query: string): Readonly<Record<string, unknown>>
  parseParams(query: string): Params
  /** The same for lists without meta, which are paged at the top level of the query. */
  parseFlatParams(query: string): Params
  /** The one that was provided last; undefined where there is none, or its plugin is activated later. */
  get<T>(service: Service<T>): T | undefined
  /** For services of the runtime, which are always there. */
  need<T>(service: Service<T>): T
  /** In the order in which they were provided. */
  getAll<T>(service: Service<T>): readonly T[]
  readonly log: PluginLog
  /** Hears of what went wrong by an internal error while a request was answered. */
  onFault(fault: unknown, requestId: string | undefined): void
  /** Epoch milliseconds. */
  now(): number
}

export interface PluginLog {
  info(message: string): void
  warn(message: string): void
}

export interface Activation {
  /** What happens with every write of some content-types. */
  readonly lifecycles?: readonly Lifecycle[]
  readonly strategies?: readonly AuthStrategy[]
  readonly routes?: readonly Route[]
  readonly provides?: readonly Provided[]
  /** Answers what the author's additions have wrong; runs before a table is touched. */
  check?(): Promise<readonly Diagnostic[]>
  /** Runs when the tables of this generation exist, before it takes requests. */
  prepare?(): Promise<void>
  /** Runs when the last answer of this generation was sent. */
  dispose?(): void
}
