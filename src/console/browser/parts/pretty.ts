// Formats JSON with line breaks; cuts long text.

const MAX_CHARACTERS = 300_000

export function formatPretty(text: string): string {
  if (text.length > MAX_CHARACTERS)
    return `${text.slice(0, MAX_CHARACTERS)}\n… (${text.length} characters in all)`
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
