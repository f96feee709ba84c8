// Parses text with brackets in its names (`a[b][0]=x`) with qs. Throws beyond the limits, where qs by default would
// drop or rearrange parameters.

import { createRequire } from 'node:module'
import type Qs from 'qs'

/** Levels of brackets in a name, and parameters in a text. */
export const bracketLimits = { depth: 20, parameters: 1000 } as const

type Options = Pick<Qs.IParseOptions, 'arrayLimit' | 'strictNullHandling' | 'duplicates' | 'strictMerge'>

const require = createRequire(import.meta.url)
let loaded: typeof Qs | undefined

/** Loads qs on first use: it has 54 files, and a start does not need it. */
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
