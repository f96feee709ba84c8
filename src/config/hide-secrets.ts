// Diagnostics quote what they found; a quotation that came out of the environment is blotted out.

import type { Diagnostic } from '../errors/diagnostic.ts'

/** Texts shorter than this are hidden only where they stand in quotes: they would be found in other words. */
const recognizable = 8

/** Also for the diagnostics of later stations, which do not know where a value came from. */
export function hideSecrets(
  diagnostics: readonly Diagnostic[],
  secrets: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (secrets.size === 0) return diagnostics
  // The longest first: a secret may be part of another.
  const texts = [...secrets].sort((a, b) => b.length - a.length)
  const hide = (sentence: string) => {
    let hidden = sentence
    for (const text of texts) {
      hidden = hidden.replaceAll(JSON.stringify(text), '"***"')
      if (text.length >= recognizable) hidden = hidden.replaceAll(text, '***')
    }
    return hidden
  }
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    message: hide(diagnostic.message),
    ...(diagnostic.help === undefined ? {} : { help: hide(diagnostic.help) }),
  }))
}
