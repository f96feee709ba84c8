// Logs each request after its response.

import { isOwnPath } from '../../http/gateway.ts'
import { getBodyLength, type Reply } from '../../http/reply.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { OnResponse } from '../../http/server.ts'
import { isBodiless } from '../../http/status-line.ts'
import { AsyncContext } from '../../lib/async-context.ts'
import { observeStatements, type StatementObserver } from '../../storage/observe-statements.ts'
import type { Log } from '../log/create-log.ts'
import { getLine } from './logged-request.ts'
import type { RequestWatch } from './request-watch.ts'

interface RequestLog extends RequestWatch {
  readonly answered: OnResponse
}

interface StatementCount {
  statements: number
}

/**
 * `share`: the fraction of requests to log, besides all server errors. `counts`: counts SQL statements, which
 * makes every request asynchronous.
 */
export function createRequestLog(log: Log, counts: boolean, share = 1): RequestLog {
  // Every n-th request, not random ones: the share is exact.
  let seen = 0
  const counters = new WeakMap<HttpRequest, StatementCount>()
  const running = new AsyncContext<StatementObserver>()

  return {
    answered(request, reply, milliseconds) {
      // Probes come every few seconds, and matter only when they fail.
      if (reply !== undefined && reply.status < 400 && isOwnPath(request.path)) return
      if (share < 1 && (reply === undefined || reply.status < 500)) {
        seen += 1
        if (Math.floor(seen * share) === Math.floor((seen - 1) * share)) return
      }
      const statements = counts ? (counters.get(request)?.statements ?? 0) : undefined
      const bytes = getBytes(request.method, reply)
      log.request(getLine(request, { status: reply?.status, bytes, ms: milliseconds, statements }))
    },
    // On the request: a WeakMap would cost more than the rest of the line.
    caller(request, principal) {
      request.caller = principal
    },
    database: (database) => (counts ? observeStatements(database, () => running.get()) : database),
    handler(handler) {
      if (!counts) return handler
      return (request) => {
        const counter: StatementCount = { statements: 0 }
        counters.set(request, counter)
        const count = (): undefined => {
          counter.statements += 1
        }
        return running.run(count, async () => handler(request))
      }
    },
  }
}

function getBytes(method: string, reply: Reply | undefined): number | undefined {
  if (reply?.body === undefined || method === 'HEAD' || isBodiless(reply.status)) return 0
  return getBodyLength(reply.body)
}
