// The parts of a server that the console shows.

import type { Guard } from '../access/guard.ts'
import type { RoleTokens } from '../access/role-tokens.ts'
import type { Config } from '../config/config.ts'
import type { AccessSummary } from '../describe/access-summary.ts'
import type { CheckedText } from '../file-edits/plan-text.ts'
import type { InjectFetch } from '../http/inject.ts'
import type { Route } from '../http/route.ts'
import type { Model } from '../model/model.ts'
import type { ConsoleLogins } from '../plugins/console-logins.ts'
import type { Feed } from '../plugins/feed.ts'
import type { EnabledPlugin } from '../plugins/plugin.ts'
import type { Database } from '../storage/database.ts'
import type { Content } from '../write/content.ts'
import type { Door } from './check-caller.ts'
import type { Reading, RequestSummary } from './described.ts'
import type { Traffic } from './traffic.ts'

export interface LiveApp {
  readonly config: Config
  readonly model: Model
  readonly content: Content
  readonly routes: readonly Pick<Route, 'method' | 'path'>[]
  readonly access: AccessSummary
  readonly plugins: readonly Pick<EnabledPlugin, 'contribution'>[]
  readonly graphqlEndpoint: string | undefined
  readonly feed: Feed | undefined
  readonly consoleLogins: ConsoleLogins | undefined
  readonly callers: Pick<Guard, 'carryToken' | 'getCaller'>
  userToken(identifier: string): Promise<string | undefined>
}

/** By process, the number of the last reading or request that a page has. */
export type LastNumbers = Readonly<Record<string, number>>

export interface PageState {
  readonly readings: LastNumbers
  readonly requests?: LastNumbers | undefined
}

export interface ProcessUpdate {
  readonly process: number
  /** Epoch milliseconds at which the process got its model. */
  readonly live: number
  readonly wrong?: string | undefined
  readonly readings: readonly Reading[]
  readonly requests: readonly RequestSummary[]
}

export interface ConsoleContext {
  readonly door: Door
  /** The path of the file as given; undefined for a configuration that is an object. */
  readonly file: string | undefined
  readonly edit: boolean
  readonly database: Database
  readonly tokens: RoleTokens
  readonly traffic: Traffic
  place(): LiveApp
  lookAtAll(given: PageState): Promise<readonly ProcessUpdate[]>
  transport(): string
  readonly ask: InjectFetch
  check(text?: string): Promise<CheckedText>
  onFault(fault: unknown, requestId: string | undefined): void
}
