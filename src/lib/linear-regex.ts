// Compiles regular expressions that run in linear time (RE2), which is loaded on first use because of its
// large tables.

import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

let library: { readonly RE2JS: typeof RE2JS } | undefined

/** Throws when RE2 does not support the pattern. */
export function compileLinearRegex(source: string): (value: string) => boolean {
  library ??= createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }
  const pattern = library.RE2JS.compile(source)
  return (value) => pattern.matcher(value).find()
}
