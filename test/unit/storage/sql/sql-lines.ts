// A statement on several lines, broken in front of its clauses, so that a person can read and compare it.

const CLAUSE = /^(from|where|order by|limit|group by|left join|join|values|returning|set|select|with|and|or) /

/** Words that belong to the next one. */
const BEFORE = /(^|[ (])(left|delete|default|insert)$/

const LONG = 90

/** Between brackets only what is long is broken. */
export function inLines(text: string): readonly string[] {
  const lines: string[] = []
  let line = ''
  let depth = 0
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const letter = text[index] ?? ''
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (/['"`]/.test(letter)) quote = letter
    else if (letter === '(') depth += 1
    else if (letter === ')') depth -= 1
    else if (letter === ' ' && !BEFORE.test(line)) {
      const [, word] = CLAUSE.exec(text.slice(index + 1)) ?? []
      const joins = word === 'and' || word === 'or'
      if (word !== undefined && (line.length > LONG || (depth === 0 && !joins))) {
        lines.push(line)
        line = '  '.repeat(depth + 1)
        continue
      }
    }
    line += letter
  }
  return [...lines, line]
}
