// Colours of a terminal.

/** Paints text with an SGR color code, or returns it unchanged. */
export type Paint = (text: string, color: number) => string

export function paintWith(colors: boolean): Paint {
  return colors ? (text, color) => `\u001b[${color}m${text}\u001b[0m` : (text) => text
}
