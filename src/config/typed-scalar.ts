// A text as the YAML 1.2 core schema reads it when it stands without quotes.

const NULL = /^(?:~|null|Null|NULL)$/
const TRUE = /^(?:true|True|TRUE)$/
const FALSE = /^(?:false|False|FALSE)$/
const INTEGER = /^[-+]?\d+$/
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/

/** Numbers that would lose digits, infinities and the empty text stay text. */
export function typedScalar(text: string): string | number | boolean | null {
  if (NULL.test(text)) return null
  if (TRUE.test(text)) return true
  if (FALSE.test(text)) return false
  const number = INTEGER.test(text) || FLOAT.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) return text
  return INTEGER.test(text) && !Number.isSafeInteger(number) ? text : number
}
