// Parses names with brackets (`a[b][0]=x`) with qs. Throws beyond the limits, where qs would drop or
// rearrange parameters.

import { createRequire } from 'node:module'
import type Qs from 'qs'

export const bracketLimits = { depth: 20, parameters: 1000 } as const

type Options = Pick<Qs.IParseOptions, 'arrayLimit' | 'strictNullHandling' | 'duplicates' | 'strictMerge'>

const require = createRequire(import.meta.url)
let loaded: typeof Qs | undefined

/** Loaded on first use: a start does not need its 54 files. */
export function loadQs(): typeof Qs {
  loaded ??= require('qs') as typeof Qs
  return loaded
}

export function parseBrackets(text: string, options: Options): unknown {
  return loadQs().parse(text, {
    depth: bracketLimits.depth,
    strictDepth: true,
    parameterLimit: bracketLimits.parameters,
    throwOnLimitExceeded: true,
    plainObjects: true,
    ...options,
  })
}
