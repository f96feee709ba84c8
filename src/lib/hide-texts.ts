// Masks secret values that a client sent, in messages that quote them in any form.

/** Beyond this, the whole message is replaced. */
const MAX_TEXTS = 200
const MAX_MESSAGE_LENGTH = 65_536
const HIDDEN = 'A value is not valid'

/** Collects texts, numbers and keys, at any depth. */
export function listTexts(value: unknown, texts: Set<string> = new Set()): Set<string> {
  for (const waiting = [value]; waiting.length > 0; ) {
    const one = waiting.pop()
    if (typeof one === 'object' && one !== null) {
      if (!Array.isArray(one)) for (const key of Object.keys(one)) addText(texts, key)
      for (const inner of Object.values(one)) waiting.push(inner)
    } else if (one !== null && one !== undefined) addText(texts, String(one))
  }
  return texts
}

/** Searches at any depth. */
export function listTextsUnder(value: unknown, isSecret: (name: string) => boolean): Set<string> {
  const texts = new Set<string>()
  for (const waiting = [value]; waiting.length > 0; ) {
    const one = waiting.pop()
    if (typeof one !== 'object' || one === null) continue
    for (const [name, inner] of Object.entries(one)) {
      if (!Array.isArray(one) && isSecret(name)) listTexts(inner, texts)
      else waiting.push(inner)
    }
  }
  return texts
}

function addText(texts: Set<string>, text: string): void {
  if (text.trim() !== '') texts.add(text)
  // A quotation may indent lines differently.
  if (text.includes('\n')) for (const line of text.split('\n')) addText(texts, line.trim())
}

/** Masks whole words, so that a secret of one letter leaves other words intact. */
export function hideTexts(message: string, texts: ReadonlySet<string>): string {
  if (texts.size === 0) return message
  if (texts.size > MAX_TEXTS || message.length > MAX_MESSAGE_LENGTH) return HIDDEN
  // A form may be part of a longer one.
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

function joins(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && WORD.test(one) && WORD.test(other)
}

const WORD = /[\p{Letter}\p{Number}_]/u
