// The things of a server that the console shows.

import type { RoleTokens } from '../access/role-tokens.ts'
import type { Config } from '../config/config.ts'
import type { SourceText } from '../config/yaml/source-text.ts'
import type { AccessSummary } from '../describe/access-summary.ts'
import type { InjectFetch } from '../http/inject.ts'
import type { Route } from '../http/route.ts'
import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import type { Model } from '../model/model.ts'
import type { Feed } from '../plugins/feed.ts'
import type { Database } from '../storage/database.ts'
import type { Content } from '../write/content.ts'
import type { Door } from './check-caller.ts'
import type { Reading, RequestSummary } from './described.ts'
import type { Traffic } from './traffic.ts'

/** The live app. */
export interface LiveApp {
  readonly config: Config
  readonly model: Model
  readonly content: Content
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
  readonly access: AccessSummary
  readonly graphqlEndpoint: string | undefined
  readonly feed: Feed | undefined
  userToken(identifier: string): Promise<string | undefined>
}

/** By process, the number of the last reading or request that a page has. */
export type LastNumbers = Readonly<Record<string, number>>

/** The state of a page. `requests`: undefined where it shows none. */
export interface PageState {
  readonly readings: LastNumbers
  readonly requests?: LastNumbers | undefined
}

/** The update of one process for a page. */
export interface ProcessUpdate {
  /** Its id. */
  readonly process: number
  /** Epoch milliseconds: since when the process has its model. */
  readonly live: number
  /** The diagnostics of the file, while it has errors. */
  readonly wrong?: string | undefined
  readonly readings: readonly Reading[]
  readonly requests: readonly RequestSummary[]
}

/** The result of checking a text of the file. */
interface CheckedText {
  readonly source: SourceText
  readonly diagnostics: readonly Diagnostic[]
  /** Texts that must not be shown. */
  readonly secrets: ReadonlySet<string>
  /** Both undefined when the text has errors. */
  readonly config: Config | undefined
  readonly model: Model | undefined
  /** All actions; none when the text has errors. */
  readonly actions: ReadonlySet<string>
}

export interface ConsoleContext {
  readonly door: Door
  /** Path of the file as it was given; undefined for a configuration that is an object. */
  readonly file: string | undefined
  /** Whether the console may write the file. */
  readonly edit: boolean
  readonly database: Database
  readonly tokens: RoleTokens
  readonly traffic: Traffic
  place(): LiveApp
  /** Of every process that serves. */
  lookAtAll(given: PageState): Promise<readonly ProcessUpdate[]>
  /** The transport that listens. */
  transport(): string
  /** Asks the API as any client does. */
  readonly ask: InjectFetch
  /** Checks the file, or a text that a page sent in its place. */
  check(text?: string): Promise<CheckedText>
  onFault(fault: unknown, requestId: string | undefined): void
}
