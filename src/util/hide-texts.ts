// Messages repeat what was sent; what was sent for a secret is blotted out of them, however it is quoted.

/** More than this is not looked for: then nothing of the message is kept. */
const MOST_TEXTS = 200
const LONGEST_MESSAGE = 65_536
const HIDDEN = 'A value is not valid'

/** What a message could hold of a value: its texts and numbers, keys among them, at any depth. */
export function textsOf(value: unknown, texts: Set<string> = new Set()): Set<string> {
  for (const waiting = [value]; waiting.length > 0; ) {
    const one = waiting.pop()
    if (typeof one === 'object' && one !== null) {
      if (!Array.isArray(one)) for (const key of Object.keys(one)) addText(texts, key)
      for (const inner of Object.values(one)) waiting.push(inner)
    } else if (one !== null && one !== undefined) addText(texts, String(one))
  }
  return texts
}

/** The same of all that stands under a secret name, at any depth. */
export function textsUnder(
  value: unknown,
  isSecret: (name: string) => boolean,
  texts: Set<string> = new Set(),
): Set<string> {
  for (const waiting = [value]; waiting.length > 0; ) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null) continue
    for (const [name, inner] of Object.entries(one)) {
      if (!Array.isArray(one) && isSecret(name)) textsOf(inner, texts)
      else waiting.push(inner)
    }
  }
  return texts
}

function addText(texts: Set<string>, text: string): void {
  if (text.trim() !== '') texts.add(text)
  // A text of several lines is quoted with other indents.
  if (text.includes('\n')) for (const line of text.split('\n')) addText(texts, line.trim())
}

/** Whole words only, so that a secret of one letter does not take the sentence with it. */
export function hideTexts(message: string, texts: ReadonlySet<string>): string {
  if (texts.size === 0) return message
  if (texts.size > MOST_TEXTS || message.length > LONGEST_MESSAGE) return HIDDEN
  // The longest first: one may be part of another.
  const forms = [...texts].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
  let hidden = message
  for (const form of [...new Set(forms)].sort((a, b) => b.length - a.length)) hidden = without(hidden, form)
  return hidden
}

function without(message: string, text: string): string {
  let kept = ''
  let from = 0
  for (let at = message.indexOf(text); at >= 0; at = message.indexOf(text, at + 1)) {
    if (at < from || joins(message[at - 1], text[0]) || joins(text.at(-1), message[at + text.length]))
      continue
    kept += `${message.slice(from, at)}***`
    from = at + text.length
  }
  return kept + message.slice(from)
}

/** Whether two characters belong to one word. */
function joins(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && WORD.test(one) && WORD.test(other)
}

const WORD = /[\p{Letter}\p{Number}_]/u
