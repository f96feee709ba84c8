// Checks email addresses as Strapi does: atoms before the @, and at least two labels after it.

/** Non-ASCII letters, for internationalized addresses. */
const WIDE = '\\u00a0-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\uffef'
const ATOM = `[a-z0-9!#$%&'*+\\-/=?^_\`{|}~${WIDE}]+`
const LABEL = `[a-z0-9${WIDE}](?:[a-z0-9_~${WIDE}-]*[a-z0-9${WIDE}])?`
/** Must not begin or end with a digit. */
const LAST_LABEL = `[a-z${WIDE}](?:[a-z0-9_~${WIDE}-]*[a-z${WIDE}])?`
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LAST_LABEL}$`, 'i')
/** RFC 5321. */
const MAX_LOCAL_LENGTH = 64
const MAX_LENGTH = 254

export function isEmail(text: string): boolean {
  return (
    isPrintable(text) &&
    text.length <= MAX_LENGTH &&
    text.indexOf('@') <= MAX_LOCAL_LENGTH &&
    EMAIL.test(text)
  )
}

const UNPRINTABLE = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}]/u

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text)
}
