// Finds properties of a statement from its text, without asking SQLite.

const DEFINES = /^\s*(?:create|alter|drop|pragma)\b/i
const REDEFINES = /^\s*(?:create|alter|drop)\b/i
const READS = /^\s*(?:select|values|explain)\b/i
const QUOTED = /(['"`])(?:(?!\1).|\1\1)*\1/gs

/** Whether the statement changes tables; such a statement runs only once and is not cached. */
export function defines(text: string): boolean {
  return DEFINES.test(text)
}

/** Whether afterwards the tables or indexes may be others. */
export function redefines(text: string): boolean {
  return REDEFINES.test(text)
}

export function onlyReads(text: string): boolean {
  return READS.test(text)
}

/** Needed because no engine reports the number of placeholders, and both silently use null for unbound ones. */
export function countPlaceholders(text: string): number {
  return text.replace(QUOTED, '').split('?').length - 1
}

/** Estimates the bytes of a prepared statement: its program is about ten times as long as its text. */
export function getWeight(text: string): number {
  return 2000 + 10 * text.length
}
