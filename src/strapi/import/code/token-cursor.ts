// A position in a list of tokens, with the names that were skipped.

import type { Token } from './scan-tokens.ts'

export interface TokenCursor {
  /** Names in skipped code, which may change their values. */
  readonly mentioned: Set<string>
  position(): number
  goTo(position: number): void
  atEnd(): boolean
  offset(): number
  token(ahead?: number): Token | undefined
  /** Undefined for strings and regular expressions. */
  peek(ahead?: number): string | undefined
  nameHere(ahead?: number): string | undefined
  /** Moves past the tokens if they have these texts. */
  take(...texts: readonly string[]): boolean
  /** Reads comma-separated items up to `end`. */
  series<T>(end: string, item: () => T | undefined): T[] | undefined
  /** The place of the only `return` of the block here; undefined if the block has branches or loops. */
  findReturn(): number | undefined
  skip(): void
  /** Moves past a statement that declares nothing. */
  skipStatement(): void
  skipBlock(): void
  mention(from: number): void
}

const BRANCHES: ReadonlySet<string> = new Set(['if', 'for', 'while', 'do', 'switch', 'try', 'throw', 'case'])
/** After these a block is not the end of its statement. */
const CONTINUED: ReadonlySet<string> = new Set([
  'else',
  'catch',
  'finally',
  'while',
  '.',
  ',',
  '(',
  '?',
  '=',
  'from',
])

export function createTokenCursor(tokens: readonly Token[]): TokenCursor {
  const mentioned = new Set<string>()
  let place = 0

  const cursor: TokenCursor = {
    mentioned,
    position: () => place,
    goTo(position) {
      place = position
    },
    atEnd: () => place >= tokens.length,
    offset: () => tokens[place]?.at ?? 0,
    token: (ahead = 0) => tokens[place + ahead],
    peek(ahead = 0) {
      const token = tokens[place + ahead]
      return token === undefined || token.kind === 'string' || token.kind === 'regex' ? undefined : token.text
    },
    nameHere(ahead = 0) {
      const token = tokens[place + ahead]
      return token?.kind === 'name' ? token.text : undefined
    },
    take(...texts) {
      if (!texts.every((text, ahead) => cursor.peek(ahead) === text)) return false
      place += texts.length
      return true
    },
    series(end, item) {
      const items = []
      while (!cursor.take(end)) {
        const one = item()
        if (one === undefined) return undefined
        items.push(one)
        if (!cursor.take(',') && cursor.peek() !== end) return undefined
      }
      return items
    },
    findReturn() {
      const found: number[] = []
      let open = 0
      for (let at = place; at < tokens.length; at++) {
        const { kind, text } = tokens[at] ?? {}
        open += buildStep(kind === 'sign' ? text : undefined)
        if (open === 0) break
        if (open > 1 || kind !== 'name' || text === undefined) continue
        if (BRANCHES.has(text)) return undefined
        if (text === 'return') found.push(at)
      }
      return found.length === 1 ? found[0] : undefined
    },
    skipStatement() {
      const from = place
      for (let open = 0; place < tokens.length; ) {
        const sign = cursor.peek()
        open += buildStep(sign)
        place += 1
        if (open > 0) continue
        if (sign === ';') break
        if (sign === '}' && cursor.peek() !== ';' && !CONTINUED.has(cursor.peek() ?? '')) break
      }
      cursor.mention(from)
    },
    skip() {
      const from = place
      for (let open = 0; place < tokens.length; place++) {
        const sign = cursor.peek()
        if (open === 0 && isEndOfExpression(sign)) break
        open += buildStep(sign)
      }
      cursor.mention(from)
    },
    skipBlock() {
      const from = place
      let open = 0
      do {
        open += buildStep(cursor.peek())
        place += 1
      } while (open > 0 && place < tokens.length)
      cursor.mention(from)
    },
    mention(from) {
      for (const { kind, text } of tokens.slice(from, place)) if (kind === 'name') mentioned.add(text)
    },
  }
  return cursor
}

export function isEndOfExpression(sign: string | undefined): boolean {
  return sign === ',' || sign === ';' || buildStep(sign) === -1
}

function buildStep(sign: string | undefined): -1 | 0 | 1 {
  if (sign === '(' || sign === '[' || sign === '{') return 1
  return sign === ')' || sign === ']' || sign === '}' ? -1 : 0
}
