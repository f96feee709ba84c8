// Text with brackets in its names (`a[b][0]=x`), as qs reads it, within limits: beyond them it throws, where qs alone
// would drop or rearrange.

import { createRequire } from 'node:module'
import type Qs from 'qs'

/** Brackets of one name, and pairs of one text. */
export const bracketLimits = { depth: 20, parameters: 1000 } as const

type Options = Pick<Qs.IParseOptions, 'arrayLimit' | 'strictNullHandling' | 'duplicates'>

const require = createRequire(import.meta.url)
let loaded: typeof Qs | undefined

/** With the first text that has need of it: qs has 54 files, and a start has none of such texts. */
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
