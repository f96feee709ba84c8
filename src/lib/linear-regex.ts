// Compiles regular expressions that run in linear time (RE2). RE2 is loaded when the first one is compiled: most
// configurations have none, and loading its tables takes longer than checking a small file.

import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

let library: { readonly RE2JS: typeof RE2JS } | undefined

/** Returns a test whether a value contains a match; throws when RE2 does not support the pattern. */
export function compileLinearRegex(source: string): (value: string) => boolean {
  library ??= createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }
  const pattern = library.RE2JS.compile(source)
  return (value) => pattern.matcher(value).find()
}
