// Escapes text from outside for a terminal.

/** Escapes characters that control a terminal or turn the direction of its text, line breaks included. */
export function toPrintable(text: string): string {
  return text.replace(UNPRINTABLE, escaped)
}

/** Keeps line breaks and tabs. */
export function toPrintableLines(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' ? character : escaped(character),
  )
}

const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
