// Observers of requests: the log, the console.

import type { Principal } from '../../access/principal.ts'
import type { HttpRequest } from '../../http/request.ts'
import type { ServedHandler } from '../../http/server.ts'
import type { Database } from '../../storage/database.ts'

export interface RequestWatch {
  caller(request: HttpRequest, principal: Principal): void
  database(database: Database): Database
  handler(handler: ServedHandler): ServedHandler
}

export function watchTogether(watches: readonly RequestWatch[]): RequestWatch | undefined {
  if (watches.length < 2) return watches[0]
  return {
    caller(request, principal) {
      for (const watch of watches) watch.caller(request, principal)
    },
    database: (database) => watches.reduce((watched, watch) => watch.database(watched), database),
    handler: (handler) => watches.reduce((watched, watch) => watch.handler(watched), handler),
  }
}
