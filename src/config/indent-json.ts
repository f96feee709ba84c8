// JSON pasted below a key, as a Strapi project's schema.json is: YAML wants its lines further right than the key, and an
// editor leaves them where they were. They are read as if they were indented.

export interface IndentedText {
  readonly text: string
  /** The place in the text as it was written. */
  original(offset: number): number
}

/** A value that begins with a bracket, behind `key:` or on the next line. Its first group is the key's indentation. */
const VALUE = /^( *)[^\s#][^\n]*?:[ \t]*(?:\r?\n[ \t]*)?(?=[{[])/gm

/** Undefined: there is no JSON whose lines stand too far left. */
export function indentJson(text: string): IndentedText | undefined {
  /** Where something is put in, in order, and how many blanks. */
  const places: { readonly at: number; readonly blanks: number }[] = []
  VALUE.lastIndex = 0
  /** Brackets without end are looked for again and again. */
  let patience = 20 * text.length
  for (let match = VALUE.exec(text); match !== null; match = VALUE.exec(text)) {
    const start = match.index + match[0].length
    const end = endOfJson(text, start)
    patience -= (end ?? text.length) - start
    if (patience < 0) return undefined
    if (end === undefined) continue
    const blanks = (match[1]?.length ?? 0) + 1
    // The bracket itself may stand on a line of its own.
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
  return { text: written + text.slice(from), original: (offset) => originalOf(places, offset) }
}

function originalOf(
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

/** Behind the bracket that closes the one at `start`, where all in between is JSON. */
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

/** Of the closing quote, or of the end of the text. */
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
