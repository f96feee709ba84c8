// Regular expressions in linear time (RE2), loaded when the first one is compiled: most configurations have none, and
// its tables take longer to load than a small file takes to check.

import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'

let library: { readonly RE2JS: typeof RE2JS } | undefined

/** A test that finds the pattern in a value; throws where RE2 cannot express it. */
export function compileLinearRegex(source: string): (value: string) => boolean {
  library ??= createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof RE2JS }
  const pattern = library.RE2JS.compile(source)
  return (value) => pattern.matcher(value).find()
}
