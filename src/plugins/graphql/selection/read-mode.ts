// How the reads of an operation are done, said by the executor to the resolvers.

import type { Dependencies } from '../../../query/dependencies.ts'

interface ReadMode {
  /** Whether leaf values are as the answer shows them: nothing serializes them. */
  readonly finished: boolean
  /** Gets what is read, if the response is to be cached. */
  readonly dependencies: Dependencies | undefined
}

/** A key of the context, as of the budget. */
const MODE = Symbol('read mode')

interface Context {
  [MODE]?: ReadMode
}

const VALUES: ReadMode = { finished: false, dependencies: undefined }

export function setReadMode(context: object, mode: ReadMode): void {
  ;(context as Context)[MODE] = mode
}

/** `context` belongs to one operation. */
export function getReadMode(context: object): ReadMode {
  return (context as Context)[MODE] ?? VALUES
}
