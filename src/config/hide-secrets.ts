// Masks values from the environment in diagnostics and other texts that quote the configuration.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'

/** Shorter texts are masked only within quotes, since they could be part of other words. */
const recognizable = 8

/** Also used for diagnostics of later steps, which do not know where a value came from. */
export function hideSecrets(
  diagnostics: readonly Diagnostic[],
  secrets: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (secrets.size === 0) return diagnostics
  const hide = createMask(secrets)
  return diagnostics.map((diagnostic) => ({
    ...diagnostic,
    message: hide(diagnostic.message),
    ...(diagnostic.help === undefined ? {} : { help: hide(diagnostic.help) }),
  }))
}

/** Returns a function that masks the secrets in a text. */
export function createMask(secrets: ReadonlySet<string>): (text: string) => string {
  // The longest first, since a secret may be part of another.
  const texts = [...secrets].sort((a, b) => b.length - a.length)
  return (sentence) => {
    let hidden = sentence
    for (const text of texts) {
      hidden = hidden.replaceAll(JSON.stringify(text), '"***"')
      if (text.length >= recognizable) hidden = hidden.replaceAll(text, '***')
    }
    return hidden
  }
}
