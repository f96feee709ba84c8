// Parses an id as a client writes it: a decimal number, so that `01`, `1.0` and `+1` are all 1.

const NUMBER = /^\s*[+-]?\d{1,16}(?:\.0*)?(?:e[+]?\d{1,2})?\s*$/i

/** Returns undefined for a text that no entry can have as its id. */
export function parseId(text: string | undefined): number | undefined {
  const id = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

/** No entry has this id. */
export const NO_ENTRY = 0
