// Finds properties of a statement from its text, without SQLite.

const DEFINES = /^\s*(?:create|alter|drop|pragma)\b/i
const REDEFINES = /^\s*(?:create|alter|drop)\b/i
const READS = /^\s*(?:select|values|explain)\b/i
const QUOTED = /(['"`])(?:(?!\1).|\1\1)*\1/gs

/** Runs only once and is not cached. */
export function defines(text: string): boolean {
  return DEFINES.test(text)
}

export function redefines(text: string): boolean {
  return REDEFINES.test(text)
}

export function isReadOnly(text: string): boolean {
  return READS.test(text)
}

/** No engine reports the number of placeholders, and both silently use null for unbound ones. */
export function countPlaceholders(text: string): number {
  return text.replace(QUOTED, '').split('?').length - 1
}

/** In bytes: a prepared program is about ten times as long as its text. */
export function getWeight(text: string): number {
  return 2000 + 10 * text.length
}
