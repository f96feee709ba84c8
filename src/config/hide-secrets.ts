// Masks values from the environment in diagnostics and other texts.

import type { Diagnostic } from '../lib/errors/diagnostic.ts'
import { MAX_SHOWN_LENGTH } from './describe-value.ts'

/** Characters; shorter texts are masked only within quotes, since they could be part of other words. */
const MIN_BARE_LENGTH = 8

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

/** Takes time by the length of a text, hardly by the number of secrets. */
export function createMask(secrets: ReadonlySet<string>): (text: string) => string {
  const byStart = new Map<string, string[]>()
  for (const form of [...secrets].flatMap(listForms)) {
    const start = form.slice(0, START_LENGTH)
    const others = byStart.get(start)
    if (others === undefined) byStart.set(start, [form])
    else others.push(form)
  }
  const findEnd = (text: string, from: number): number => {
    let end = from
    for (const form of byStart.get(text.slice(from, from + START_LENGTH)) ?? [])
      if (from + form.length > end && text.startsWith(form, from)) end = from + form.length
    return end
  }
  return (text) => {
    let hidden = ''
    let done = 0
    for (let from = 0; from < text.length; from += 1) {
      let end = findEnd(text, from)
      if (end === from) continue
      // Another may begin within this one and end behind it.
      for (let next = from + 1; next < end; next += 1) end = Math.max(end, findEnd(text, next))
      hidden += text.slice(done, from) + (text[from] === '"' ? '"***"' : '***')
      done = end
      from = end - 1
    }
    return hidden + text.slice(done)
  }
}

/** Characters; each form has as many. */
const START_LENGTH = 2

function listForms(secret: string): readonly string[] {
  const quoted = JSON.stringify(secret)
  const cutOff = quoted.slice(1, MAX_SHOWN_LENGTH + 1)
  return [
    quoted,
    ...(secret.length >= MIN_BARE_LENGTH ? [secret] : []),
    ...(secret.length > MAX_SHOWN_LENGTH ? [cutOff] : []),
  ]
}
