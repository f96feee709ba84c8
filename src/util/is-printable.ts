// Text of one line that a terminal, a log or the header of a mail shows as it is.

const UNPRINTABLE = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}]/u

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text)
}
