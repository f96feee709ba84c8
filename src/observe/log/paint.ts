// Colours of a terminal.

/** Paints text in one of the terminal's colours (SGR code), or returns it as it is. */
export type Paint = (text: string, color: number) => string

export function paintWith(colors: boolean): Paint {
  return colors ? (text, color) => `\u001b[${color}m${text}\u001b[0m` : (text) => text
}
