// A route as an API or a plugin declares it; `router.ts` builds the table.

import type { Reply } from './reply.ts'
import type { HttpRequest } from './request.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Percent-decoded, in the order of the pattern. */
export type PathParameters = readonly string[]

export interface Route {
  readonly method: Method
  /** Segments, each literal or `:name`: `/api/articles/:id`. A literal segment wins over a parameter. */
  readonly path: string
  /** For logs and metrics: `rest`, or the name of a plugin. */
  readonly face?: string | undefined
  /** Files of pages, and methods that are refused. */
  readonly undocumented?: boolean
  readonly handler: (request: HttpRequest, parameters: PathParameters) => Reply | Promise<Reply>
}
