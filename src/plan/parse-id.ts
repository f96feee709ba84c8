// An id as a client writes it: compared as a decimal number, so that `01`, `1.0` and `+1` are 1.

const NUMBER = /^\s*[+-]?\d{1,16}(?:\.0*)?(?:e[+]?\d{1,2})?\s*$/i

/** Undefined: no entry has it. */
export function parseId(text: string | undefined): number | undefined {
  const id = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}
