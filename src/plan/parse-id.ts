// Parses an id as a client writes it, as a decimal number: `01`, `1.0` and `+1` are all 1.

const NUMBER = /^\s*[+-]?\d{1,16}(?:\.0*)?(?:e[+]?\d{1,2})?\s*$/i

export function parseId(text: string | undefined): number | undefined {
  const id = text !== undefined && NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(id) ? id : undefined
}

export const NO_ENTRY = 0
