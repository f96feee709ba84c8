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
