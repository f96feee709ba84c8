// The contract of a plugin: settings in; first data for the model (`contribution`), then behaviour (`activate`). Each
// extension point is declared next to the code that uses it; this file only sums them up.

import type { AuthStrategy, Guard } from '../access/guard.ts'
import type { Permissions } from '../access/principal.ts'
import type { Config } from '../config/config.ts'
import type { PluginRule } from '../config/plugin-rule.ts'
import type { PluginShorthands } from '../config/shorthand/shorthand.ts'
import type { Expression } from '../expressions/expression.ts'
import type { Route } from '../http/route.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import type { CheckContext } from '../model/checking.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ModelContribution } from '../model/contribution.ts'
import type { Model } from '../model/model.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import type { Params } from '../plan/params.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import type { StoredFiles } from '../storage/archive/stored-files.ts'
import type { Database } from '../storage/database.ts'
import type { Content } from '../write/content.ts'
import type { Lifecycle } from '../write/lifecycle.ts'
import type { ChangeRecorder } from '../write/recorded-changes.ts'
import type { GraphqlNames } from './graphql-extension.ts'
import type { DescribeOperations } from './openapi-operation.ts'
import type { PluginOperation } from './plugin-operation.ts'
import type { Service, ServiceValue } from './services.ts'

export interface Plugin {
  readonly name: string
  /** Enabled unless the file says otherwise, as in a new Strapi project. */
  readonly onByDefault?: boolean
  /** Checks of the settings that the schema cannot express. Run for every file, whether the plugin is on or off. */
  readonly checkSettings?: PluginRule
  /** Short forms that it adds to the file's language. Taken for every file, whether the plugin is on or off. */
  readonly shorthands?: PluginShorthands
  /** Changes the settings so that the plugin stores nothing outside the process: for trial runs. */
  inMemory?(config: PluginSettings['config']): PluginSettings['config']
  /** Checks the model for this plugin, whether it is on or off; `plugins` are all existing plugins. */
  checkModel?(checking: CheckContext, plugins: readonly Plugin[]): void
  readonly graphqlNames?: GraphqlNames
  /** Actions of callers who have no token yet, each with a description. */
  readonly accountActions?: readonly (readonly [action: string, what: string])[]
  /** Commands of the command line, by name, for the data that it stores. */
  readonly commands?: Readonly<Record<string, PluginCommand>>
  /** Reads the settings once per configuration. Faults are reported with paths from the file's root. */
  enable(settings: PluginSettings): EnabledPlugin
}

export interface PluginCommand {
  /** The stored things, in the plural, for the message about a database in memory. */
  readonly stored: string
  run(target: CommandTarget): Promise<CommandResult>
}

/** The database is open beside a server that may be using it. */
export interface CommandTarget {
  readonly database: Database
  readonly model: Model
  /** The flag `--user`. */
  readonly user: string | undefined
}

/** For `--json`, and for people; or the reason for which nothing was done. */
export type CommandResult =
  | { readonly document: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly fault: string }

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
  /** Checks the built configuration and the code it names, before anything starts. */
  checkWithCode?(built: BuiltConfig): readonly Diagnostic[]
  /** Addresses, besides those of content-types, that are shown at the start. */
  readonly addresses?: readonly string[]
  /** Permissions that the file opens without naming them, a sentence each: for the log of a start. */
  readonly notices?: readonly string[]
  /** Packages that the plugin uses if they are installed. */
  readonly packages?: readonly OptionalPackage[]
  /** Code that the settings name. */
  readonly code?: readonly PluginCode[]
  readonly describeOperations?: DescribeOperations
  /** Absolute paths of folders in which clients put files. */
  readonly uploadFolders?: readonly string[]
  /** Opens the plugin's files for archives, without an app. */
  openStoredFiles?(exported: (reference: string) => unknown): Promise<StoredFiles | undefined>
  /** Called once per app; everything it makes belongs to that app. */
  activate?(context: PluginContext): Activation
}

export interface OptionalPackage {
  readonly name: string
  /** The missing feature without it, as the end of a sentence. */
  readonly without: string
  /** Whether the settings do not work without it. */
  readonly needed: boolean
}

export interface PluginCode {
  /** `./file.ts` or `./file.ts#export`; the export must be a function. */
  readonly text: string
  readonly path: DiagnosticPath
  /** The required form of the code, as a sentence for messages. */
  readonly rule: string
}

interface BuiltConfig {
  readonly model: Model
  readonly actions: ReadonlySet<string>
  /** Whether there is a `register` hook, which may change what GraphQL serves. */
  readonly registers: boolean
}

/** The parts of the runtime that a plugin receives; it uses no others. */
export interface PluginContext {
  readonly model: Model
  readonly content: Content
  /** The operations of all content-types. */
  readonly operations: OperationTable
  readonly guard: Guard
  /** All actions, in the order of the model. */
  readonly actions: ReadonlySet<string>
  /** The prefix of every path of the API: `/api`. */
  readonly prefix: string
  /** Parses a query string as the REST API does. Throws ValidationError, as does `parseFlatParams`. */
  parseQuery(query: string): Readonly<Record<string, unknown>>
  /** The params of one entry of the content-type. */
  parseParams(query: string, type: ContentType): Params
  /**
   * The params of a list of the content-type, as its own route understands them: of documents, those of one version.
   * Throws ForbiddenError if the caller asks for drafts that it may not see.
   */
  parseListParams(query: string, type: ContentType, permissions: Permissions): Params
  /** The same for lists without meta, whose page is given at the top level of the query. */
  parseFlatParams(query: string, type: ContentType): Params
  /** Writes entries as the REST API answers them: as JSON, in the shape of the dialect. */
  encodeEntry(plan: ReadPlan): (entry: EntryRow) => string
  /** The conditions of all roles and tokens under which an entry of the type, or a draft, can be read. */
  readingRules(type: ContentType): readonly Expression[]
  /** The value provided last; undefined without one, or if its plugin is activated later. */
  get<T>(service: Service<T>): T | undefined
  /** For services of the runtime, which always exist. */
  need<T>(service: Service<T>): T
  /** In the order in which they were provided. */
  getAll<T>(service: Service<T>): readonly T[]
  readonly log: PluginLog
  /** Called when an internal error occurred while a request was answered. */
  onFault(fault: unknown, requestId: string | undefined): void
  /** Epoch milliseconds. */
  now(): number
  /** Returns a hash that names its algorithm and parameters. */
  hashPassword(password: string): Promise<string>
  /** Whether tests run this instance: a limit that the settings do not name is left out. */
  readonly testing: boolean
}

export interface PluginLog {
  info(message: string): void
  warn(message: string): void
}

export interface Activation {
  /** Work at every write of some content-types. */
  readonly lifecycles?: readonly Lifecycle[]
  readonly strategies?: readonly AuthStrategy[]
  /** Its operations, and routes that ask for no permission. */
  readonly routes?: readonly (PluginOperation | Route)[]
  readonly provides?: readonly ServiceValue[]
  /** Returns faults in the author's additions; runs before any table is changed. */
  check?(): Promise<readonly Diagnostic[]>
  /** Runs when the tables of this app exist, before it takes requests. */
  prepare?(): Promise<void>
  /** Records the changes of entries, within the transactions that make them. */
  readonly recorder?: ChangeRecorder
  /** Runs when this app answers requests; not where a configuration is only described. */
  begin?(): void
  /** Memory only: the content, with all tables, was put back to another moment. */
  restored?(): void
  /** Runs when another app answers requests, or the service ends: lasting answers and work of its own end. */
  retire?(): void | Promise<void>
  /** Runs when the last answer of this app has been sent. */
  dispose?(): void
}
