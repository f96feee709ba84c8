// Passes an operation's read mode from the executor to the resolvers.

import type { Dependencies } from '../../../query/dependencies.ts'

interface ReadMode {
  /** Whether leaf values are final and skip serialization. */
  readonly finished: boolean
  /** Set if the response is to be cached. */
  readonly dependencies: Dependencies | undefined
}

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
