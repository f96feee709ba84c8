// Formats JSON with line breaks; cuts long text.

const LONGEST = 300_000

export function pretty(text: string): string {
  if (text.length > LONGEST) return `${text.slice(0, LONGEST)}\n… (${text.length} characters in all)`
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
