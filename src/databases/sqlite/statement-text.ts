// What the text of a statement says about it without asking SQLite.

const DEFINES = /^\s*(?:create|alter|drop|pragma)\b/i
const READS = /^\s*(?:select|values|explain)\b/i
const QUOTED = /(['"`])(?:(?!\1).|\1\1)*\1/gs

/** What changes tables is said once: it is not worth keeping. */
export function defines(text: string): boolean {
  return DEFINES.test(text)
}

export function onlyReads(text: string): boolean {
  return READS.test(text)
}

/** Neither engine tells how many there are, and both leave those that are not bound null without a word. */
export function countPlaceholders(text: string): number {
  return text.replace(QUOTED, '').split('?').length - 1
}

/** About the bytes that SQLite takes for a prepared statement: its program is some ten times as long as its text. */
export function weightOf(text: string): number {
  return 2000 + 10 * text.length
}
