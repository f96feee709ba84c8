// Masks values from the environment in diagnostics and other texts.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { MAX_SHOWN_LENGTH } from './describe-value.ts'

/** Characters; shorter texts are masked only within quotes, since they could be part of other words. */
const recognizable = 8

/** Also for diagnostics of later steps, which do not know the origin of a value. */
export function hideSecrets(
  diagnostics: readonly Diagnostic[],
  secrets: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (secrets.size === 0) return diagnostics
  const hide = createMask(secrets)
  return diagnostics.map((diagnostic) => rewrite(diagnostic, hide))
}

/** Masks private values of `data`; in messages about `data` also those that are as short as `4711`. */
export function hidePrivateValues(
  diagnostics: readonly Diagnostic[],
  values: ReadonlySet<string>,
): readonly Diagnostic[] {
  const hideWords = (text: string): string => text.replace(WORD, (word) => (values.has(word) ? '***' : word))
  return hideSecrets(diagnostics, values).map((diagnostic) =>
    diagnostic.path[0] === 'data' ? rewrite(diagnostic, hideWords) : diagnostic,
  )
}

const WORD = /[\p{L}\p{N}_.+-]+/gu

function rewrite(diagnostic: Diagnostic, change: (text: string) => string): Diagnostic {
  const { message, help } = diagnostic
  return { ...diagnostic, message: change(message), ...(help === undefined ? {} : { help: change(help) }) }
}

export function createMask(secrets: ReadonlySet<string>): (text: string) => string {
  // The longest first, since a secret may be part of another.
  const texts = [...secrets].sort((a, b) => b.length - a.length)
  const forms = texts.flatMap((text): readonly (readonly [form: string, shown: string])[] => {
    const quoted = JSON.stringify(text)
    return [
      [quoted, '"***"'],
      ...(text.length >= recognizable ? [[text, '***'] as const] : []),
      // As a message cuts it off.
      ...(text.length > MAX_SHOWN_LENGTH ? [[quoted.slice(1, MAX_SHOWN_LENGTH + 1), '***'] as const] : []),
    ]
  })
  return (sentence) => forms.reduce((hidden, [form, shown]) => hidden.replaceAll(form, shown), sentence)
}
