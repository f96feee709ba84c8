// Indents JSON pasted below a key, such as Strapi's schema.json: YAML requires its lines to be indented
// deeper than the key.

interface IndentedText {
  readonly text: string
  original(offset: number): number
}

/** A value that begins with a bracket, after `key:` or on the next line. The first group is the key's indentation. */
const VALUE = /^( *)[^\s#][^\n]*?:[ \t]*(?:\r?\n[ \t]*)?(?=[{[])/gm

export function indentJson(text: string): IndentedText | undefined {
  const places: { readonly at: number; readonly blanks: number }[] = []
  VALUE.lastIndex = 0
  /** Bounds the work: a bracket that is never closed is searched to the end of the text each time. */
  let patience = 20 * text.length
  for (let match = VALUE.exec(text); match !== null; match = VALUE.exec(text)) {
    const start = match.index + match[0].length
    const end = endOfJson(text, start)
    patience -= (end ?? text.length) - start
    if (patience < 0) return undefined
    if (end === undefined) continue
    const blanks = (match[1]?.length ?? 0) + 1
    // Starts at the key, since the bracket may be on a line of its own.
    for (let at = text.indexOf('\n', match.index); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
      if (indentationAt(text, at + 1) < blanks) places.push({ at: at + 1, blanks })
    }
    VALUE.lastIndex = end
  }
  if (places.length === 0) return undefined
  let written = ''
  let from = 0
  for (const { at, blanks } of places) {
    written += text.slice(from, at) + ' '.repeat(blanks)
    from = at
  }
  return { text: written + text.slice(from), original: (offset) => getOriginal(places, offset) }
}

function getOriginal(
  places: readonly { readonly at: number; readonly blanks: number }[],
  offset: number,
): number {
  let added = 0
  for (const { at, blanks } of places) {
    if (offset - added <= at) break
    added += Math.min(blanks, offset - added - at)
  }
  return offset - added
}

function indentationAt(text: string, start: number): number {
  let at = start
  while (text[at] === ' ') at += 1
  return at - start
}

/** Undefined when the text in between is not JSON. */
function endOfJson(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
    } else if (character === '{' || character === '[') {
      depth += 1
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return isJson(text.slice(start, at + 1)) ? at + 1 : undefined
    }
  }
  return undefined
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"' || text[at] === '\n') return at
  }
  return text.length
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
