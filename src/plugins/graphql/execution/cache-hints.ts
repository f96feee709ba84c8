// `info.cacheControl.setCacheHint({ maxAge, scope })` of users' code, as in Apollo. Without a hint on every
// root field the result is not cached; hints below can only shorten the time.

import type { GraphQLResolveInfo } from 'graphql'

interface CacheHint {
  /** Seconds. */
  readonly maxAge?: number
  readonly scope?: 'PUBLIC' | 'PRIVATE'
}

export interface CachePolicy {
  readonly maxAge: number
  readonly scope: 'PUBLIC' | 'PRIVATE'
}

export interface CacheControl {
  readonly cacheHint: CacheHint
  setCacheHint(hint: CacheHint): void
}

interface Hints {
  maxAge: number
  scope: 'PUBLIC' | 'PRIVATE'
  readonly roots: Set<string | number>
}

const getHints = new WeakMap<object, Hints>()

export function cacheControlFor(context: object, { path }: Pick<GraphQLResolveInfo, 'path'>): CacheControl {
  let own: CacheHint = {}
  return {
    get cacheHint() {
      return own
    },
    setCacheHint(hint) {
      own = checked(hint)
      const hints = getHints.get(context) ?? {
        maxAge: Number.POSITIVE_INFINITY,
        scope: 'PUBLIC',
        roots: new Set(),
      }
      getHints.set(context, hints)
      if (own.scope === 'PRIVATE') hints.scope = 'PRIVATE'
      if (own.maxAge === undefined) return
      hints.maxAge = Math.min(hints.maxAge, own.maxAge)
      if (path.prev === undefined) hints.roots.add(path.key)
    },
  }
}

/** Undefined if the result may not be cached. `data` must be free of errors. */
export function getCachePolicy(
  context: object,
  data: Readonly<Record<string, unknown>>,
): CachePolicy | undefined {
  const hints = getHints.get(context)
  if (hints === undefined || hints.maxAge === 0) return undefined
  if (Object.keys(data).some((key) => !hints.roots.has(key))) return undefined
  return { maxAge: hints.maxAge, scope: hints.scope }
}

/** A misspelt hint could let caches store the result longer, or share it more widely, than intended. */
function checked({ maxAge, scope }: CacheHint): CacheHint {
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge >= 0))
    throw new TypeError(`setCacheHint: maxAge is a whole number of seconds, not ${String(maxAge)}`)
  if (scope !== undefined && scope !== 'PUBLIC' && scope !== 'PRIVATE')
    throw new TypeError(`setCacheHint: scope is PUBLIC or PRIVATE, not ${String(scope)}`)
  return { ...(maxAge === undefined ? {} : { maxAge }), ...(scope === undefined ? {} : { scope }) }
}
