// Resolves a name in the file to a uid, or explains why it is unknown or ambiguous.

import type { RefusedForm, Steps } from './attribute-form.ts'
import { refused } from './attribute-form.ts'
import type { Names } from './names.ts'

export interface NameContext {
  readonly names: Names
  readonly attribute: string
}

/** Returns undefined for an unknown name, which the model reports. */
export function resolveTarget(
  word: string,
  at: Steps,
  { names }: NameContext,
): string | RefusedForm | undefined {
  return only(names.getTargets(word), word, at, 'content-types')
}

export function resolveComponent(
  word: string,
  at: Steps,
  { names }: NameContext,
): string | RefusedForm | undefined {
  return only(names.getComponents(word), word, at, 'components')
}

function only(
  uids: readonly string[],
  word: string,
  at: Steps,
  what: string,
): string | RefusedForm | undefined {
  if (uids.length <= 1) return uids[0]
  return refused('CFG070', at, `"${word}" names several ${what}`, `write the uid: ${getList(uids)}`)
}

export function getList(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ')
}
