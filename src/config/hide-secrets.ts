// Masks values from the environment in diagnostics and other texts.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'

/** Characters; shorter texts are masked only within quotes, since they could be part of other words. */
const recognizable = 8

/** Also for diagnostics of later steps, which do not know the origin of a value. */
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
