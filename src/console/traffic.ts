// Records the latest requests with their SQL while a page of the console is open.

import { performance } from 'node:perf_hooks'
import type { Principal } from '../access/principal.ts'
import { isOwnPath } from '../http/gateway.ts'
import type { Reply } from '../http/reply.ts'
import type { HttpRequest, IncomingRequest } from '../http/request.ts'
import { AsyncContext } from '../lib/async-context.ts'
import { getCaller } from '../observe/requests/logged-request.ts'
import type { RequestWatch } from '../observe/requests/request-watch.ts'
import { maskQuery } from '../observe/requests/shown-query.ts'
import type { Step } from '../storage/database.ts'
import { observeStatements } from '../storage/observe-statements.ts'
import type { RequestSummary } from './described.ts'

export interface RunStatement {
  readonly step: Step
  ms: number
}

export interface Traffic extends RequestWatch {
  /** Records requests for the next 30 seconds. */
  wake(): void
  after(number: number): readonly RequestSummary[]
  /** Runs a task whose requests are not recorded, because the console itself makes them. */
  aside<T>(task: () => Promise<T>): Promise<T>
  record<T>(
    task: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly statements: readonly RunStatement[] }>
}

/** Milliseconds after the last call of `wake`. */
const AWAKE_MS = 30_000
const MAX_REQUESTS = 300
const MAX_STATEMENTS = 100
const MAX_TEXT_LENGTH = 2000
const ASIDE: RunStatement[] = []

export function createTraffic(now: () => number): Traffic {
  const callers = new WeakMap<HttpRequest, Principal>()
  const running = new AsyncContext<RunStatement[]>()
  let seen: RequestSummary[] = []
  let count = 0
  let until = 0

  function note(request: HttpRequest, status: number, began: number, ran: readonly RunStatement[]): void {
    const principal = callers.get(request)
    count += 1
    seen.push({
      number: count,
      at: now(),
      method: request.method,
      path: request.path.slice(0, MAX_TEXT_LENGTH),
      query: request.query === '' ? '' : maskQuery(request.query),
      status,
      ms: Math.round((performance.now() - began) * 10) / 10,
      ...getCaller(principal),
      statements: ran.map(({ step }) => step.statement.text.slice(0, MAX_TEXT_LENGTH)),
    })
    if (seen.length > MAX_REQUESTS) seen = seen.slice(-MAX_REQUESTS)
  }

  function tell(ran: RunStatement[]) {
    return (step: Step): (() => void) | undefined => {
      if (ran.length >= MAX_STATEMENTS) return undefined
      const one: RunStatement = { step, ms: 0 }
      ran.push(one)
      const began = performance.now()
      return () => {
        one.ms = performance.now() - began
      }
    }
  }

  return {
    wake() {
      until = performance.now() + AWAKE_MS
    },
    after: (number) => seen.filter((one) => one.number > number),
    aside: (task) => running.run(ASIDE, task),
    async record(task) {
      const statements: RunStatement[] = []
      const result = await running.run(statements, task)
      return { result, statements }
    },
    caller(request, principal) {
      if (performance.now() < until) callers.set(request, principal)
    },
    database: (database) =>
      observeStatements(database, () => {
        const ran = running.get()
        return ran === undefined || ran === ASIDE ? undefined : tell(ran)
      }),
    handler(handler) {
      const watched = (request: IncomingRequest): Promise<Reply> => {
        const began = performance.now()
        const ran = running.get() ?? []
        return running.run(ran, async () => {
          const reply = await handler(request)
          note(request, reply.status, began, ran)
          return reply
        })
      }
      return (request) =>
        until === 0 || performance.now() > until || isOwnPath(request.path) || running.get() === ASIDE
          ? handler(request)
          : watched(request)
    },
  }
}
