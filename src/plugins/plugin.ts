// Defines the contract of a plugin: settings first, then data for the model (`contribution`), then behaviour
// (`activate`). Each extension point is declared beside the code that uses it.

import type { AuthStrategy, Guard } from '../access/guard.ts'
import type { Permissions } from '../access/principal.ts'
import type { Config } from '../config/config.ts'
import type { PluginRule } from '../config/plugin-rule.ts'
import type { PluginShorthands } from '../config/shorthand/shorthand.ts'
import type { Expression } from '../expressions/expression.ts'
import type { Route } from '../http/route.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import type { OperationShape } from '../model/actions.ts'
import type { CheckContext } from '../model/checking.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ModelContribution } from '../model/contribution.ts'
import type { Model } from '../model/model.ts'
import type { OperationCalls } from '../operations/operation-calls.ts'
import type { OperationTable } from '../operations/operation-table.ts'
import type { Params } from '../plan/params.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import type { EntryRow } from '../query/rows/entry.ts'
import type { StoredFiles } from '../storage/archive/stored-files.ts'
import type { Database } from '../storage/database.ts'
import type { Table } from '../storage/sql/layout.ts'
import type { Content } from '../write/content.ts'
import type { Lifecycle } from '../write/lifecycle.ts'
import type { ChangeRecorder } from '../write/recorded-changes.ts'
import type { GraphqlNames } from './graphql-extension.ts'
import type { DescribeOperations, JsonSchema } from './openapi-operation.ts'
import type { ExtensionPoint } from './plugin-extension.ts'
import type { PluginOperation } from './plugin-operation.ts'
import type { Service, ServiceValue } from './services.ts'

export interface Plugin {
  readonly name: string
  /** Enabled unless the file says otherwise, as in a new Strapi project. */
  readonly onByDefault?: boolean
  /** Checks that the schema cannot express; run whether the plugin is on or off. */
  readonly checkSettings?: PluginRule
  /** Short forms for the file; applied whether the plugin is on or off. */
  readonly shorthands?: PluginShorthands
  /** Changes the settings so that the plugin stores nothing outside the process, for trial runs. */
  inMemory?(config: PluginSettings['config']): PluginSettings['config']
  /** Runs whether the plugin is on or off; `plugins` are all existing plugins. */
  checkModel?(checking: CheckContext, plugins: readonly Plugin[]): void
  readonly graphqlNames?: GraphqlNames
  /** Actions of callers without a token, with descriptions. */
  readonly accountActions?: readonly (readonly [action: string, what: string])[]
  /** Commands of the command line for the stored data, by name. */
  readonly commands?: Readonly<Record<string, PluginCommand>>
  /** Runs once per configuration; faults have paths from the file's root. */
  enable(settings: PluginSettings): EnabledPlugin
}

export type PluginCommand = StoredCommand | ContentCommand

interface NamedCommand {
  /** A plural noun, for the message about a database in memory. */
  readonly stored: string
}

interface StoredCommand extends NamedCommand {
  run(target: CommandTarget): Promise<CommandResult>
}

/** Writes entries with the checks and hooks of an app. */
interface ContentCommand extends NamedCommand {
  change(target: ContentTarget): Promise<CommandResult>
}

/** A server may be using the open database. */
export interface CommandTarget {
  readonly database: Database
  readonly model: Model
  readonly flags: CommandFlags
}

export interface ContentTarget extends Omit<CommandTarget, 'database'> {
  readonly content: Content
  readPassword(): Promise<GivenPassword | CommandFault>
}

interface CommandFlags {
  readonly user?: string | undefined
  readonly username?: string | undefined
  readonly email?: string | undefined
  readonly role?: string | undefined
}

export interface GivenPassword {
  readonly password: string
  /** Made by the command, whose result is the only place that shows it. */
  readonly made: boolean
}

interface CommandFault {
  readonly fault: string
}

/** `document` is for `--json`, `text` for people; `fault` is the reason for doing nothing. */
export type CommandResult =
  | { readonly document: Readonly<Record<string, unknown>>; readonly text: string }
  | CommandFault

export interface PluginSettings {
  /** `plugins.<name>.config` as written. */
  readonly config: Readonly<Record<string, unknown>>
  /** For settings shared with the core (`auth.roles`, `server.publicUrl`). */
  readonly whole: Config
  readonly report: Report
}

export interface EnabledPlugin {
  /** Content-types, attributes and actions, before the model exists. */
  readonly contribution: ModelContribution
  /** Runs before anything starts. */
  checkWithCode?(built: BuiltConfig): readonly Diagnostic[]
  /** Addresses, besides those of content-types, that are shown at the start. */
  readonly addresses?: readonly string[]
  /** One sentence for each permission that the file opens without naming it, for the log. */
  readonly notices?: readonly string[]
  /** Packages that the plugin uses if they are installed. */
  readonly packages?: readonly OptionalPackage[]
  readonly code?: readonly PluginCode[]
  readonly extension?: ExtensionPoint | undefined
  readonly describeOperations?: DescribeOperations
  /** Absolute paths of folders in which clients put files. */
  readonly uploadFolders?: readonly string[]
  /** For archives, without an app. */
  openStoredFiles?(exported: (reference: string) => unknown): Promise<StoredFiles | undefined>
  /** Called once per app, which owns everything that it makes. */
  activate?(context: PluginContext): Activation
}

export interface OptionalPackage {
  readonly name: string
  /** The missing feature, as the end of a sentence. */
  readonly without: string
  /** Whether the settings require the package. */
  readonly needed: boolean
}

export interface PluginCode {
  /** `./file.ts` or `./file.ts#export`; the export must be a function. */
  readonly text: string
  readonly path: DiagnosticPath
  /** A sentence for messages about the required form of the code. */
  readonly rule: string
}

interface BuiltConfig {
  readonly model: Model
  readonly actions: ReadonlySet<string>
  /** A `register` hook may change the GraphQL schema. */
  readonly registers: boolean
}

/** The operations of content-types, to be called by name. */
interface CallableOperations {
  /** Available when all routes are known. */
  get(): OperationCalls
  /** The JSON Schema of an operation's input: `id`, the parameters of its query and the members of its body. */
  describeInput(type: ContentType, shape: OperationShape): JsonSchema
}

/** The only parts of the server that a plugin may use. */
export interface PluginContext {
  readonly model: Model
  readonly content: Content
  readonly operations: OperationTable
  readonly callable: CallableOperations
  readonly guard: Guard
  /** In the order of the model. */
  readonly actions: ReadonlySet<string>
  /** For example `/api`. */
  readonly prefix: string
  /** Throws ValidationError, as does `parseFlatParams`. */
  parseQuery(query: string): Readonly<Record<string, unknown>>
  parseParams(query: string, type: ContentType): Params
  /**
   * Parses like the content-type's own list route; documents are read in one version. Throws ForbiddenError
   * for drafts that the caller may not see.
   */
  parseListParams(query: string, type: ContentType, permissions: Permissions): Params
  /** For lists without `meta`, whose page is at the top level of the query. */
  parseFlatParams(query: string, type: ContentType): Params
  /** Encodes an entry as JSON in the REST shape of the API version. */
  encodeEntry(plan: ReadPlan): (entry: EntryRow) => string
  /** The conditions of all roles and tokens for reading an entry or a draft. */
  readingRules(type: ContentType): readonly Expression[]
  /** The value provided last; undefined also if its plugin is activated later. */
  get<T>(service: Service<T>): T | undefined
  /** For services of the server, which always exist. */
  need<T>(service: Service<T>): T
  /** In the order of provision. */
  getAll<T>(service: Service<T>): readonly T[]
  readonly log: PluginLog
  /** Called for an internal error while a request is answered. */
  onFault(fault: unknown, requestId: string | undefined): void
  /** Epoch milliseconds. */
  now(): number
  /** The hash names its algorithm and parameters. */
  hashPassword(password: string): Promise<string>
  /** In tests, limits that the settings do not name are left out. */
  readonly testing: boolean
}

export interface PluginLog {
  info(message: string): void
  warn(message: string): void
}

export interface Activation {
  /** The plugin's own, made before `prepare`. */
  readonly tables?: readonly Table[]
  readonly lifecycles?: readonly Lifecycle[]
  readonly strategies?: readonly AuthStrategy[]
  /** Operations, and routes without a permission. */
  readonly routes?: readonly (PluginOperation | Route)[]
  readonly provides?: readonly ServiceValue[]
  /** Returns faults of the author's additions before any table is changed. */
  check?(): Promise<readonly Diagnostic[]>
  /** Runs after this app's tables exist and before its first request. */
  prepare?(): Promise<void>
  /** Records changes of entries within their transactions. */
  readonly recorder?: ChangeRecorder
  /** Runs when this app answers requests, not when a configuration is only described. */
  begin?(): void
  /** Memory only: all tables were put back to another moment. */
  restored?(): void
  /** Runs when another app takes over or the server ends: open streams and background work end here. */
  retire?(): void | Promise<void>
  /** Runs after the last response of this app. */
  dispose?(): void
}
