// Parses an expression that declares literals, lists, objects, calls of Strapi's factories, or functions that
// only return these. All else is `unknown`.

import { isEndOfExpression, type TokenCursor } from './token-cursor.ts'

export type CodeValue = { readonly at: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'literal'; readonly value: number | boolean | undefined }
  | { readonly kind: 'list'; readonly items: readonly CodeValue[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, CodeValue> }
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly CodeValue[] }
  | { readonly kind: 'function'; readonly result: CodeValue }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unknown' }
)

const MAX_DEPTH = 60
/** Calls that do not change their arguments. */
const FACTORY = /^@strapi\/strapi\.(?:default\.)?factories\.createCore(?:Router|Controller|Service)$/
const LITERALS: Readonly<Record<string, boolean | undefined>> = {
  true: true,
  false: false,
  null: undefined,
  undefined: undefined,
}

/** Imported name -> `@strapi/strapi.factories`. */
export function parseExpression(
  cursor: TokenCursor,
  origins: ReadonlyMap<string, string>,
  depth = 0,
): CodeValue {
  const { peek, take, nameHere, series } = cursor
  const [start, at] = [cursor.position(), cursor.offset()]
  const unknown = { kind: 'unknown', at } as const
  const inner = (): CodeValue => parseExpression(cursor, origins, depth + 1)
  const value = depth > MAX_DEPTH ? undefined : primary()
  if (value !== undefined && (cursor.atEnd() || isEndOfExpression(peek()))) return value
  cursor.goTo(start)
  cursor.skip()
  return unknown

  function primary(): CodeValue | undefined {
    const token = cursor.token()
    if (token?.kind === 'name') return named(token.text)
    cursor.goTo(start + 1)
    switch (token?.kind === 'sign' ? token.text : token?.kind) {
      case 'string':
        return { kind: 'text', text: token?.text ?? '', at }
      case 'number':
        return { kind: 'literal', value: Number(token?.text), at }
      case '-': {
        const negated = cursor.token()
        cursor.goTo(start + 2)
        return negated?.kind === 'number' ? { kind: 'literal', value: -Number(negated.text), at } : undefined
      }
      case '[': {
        const items = series(']', () => (peek() === '...' ? undefined : inner()))
        return items && { kind: 'list', items, at }
      }
      case '{': {
        const members = series('}', member)
        return members && { kind: 'object', members: new Map(members), at }
      }
      case '(':
        return inParentheses()
      default:
        return undefined
    }
  }

  function inParentheses(): CodeValue | undefined {
    cursor.goTo(start)
    cursor.skipBlock()
    if (take('=>')) return { kind: 'function', result: buildResult(), at }
    cursor.goTo(start + 1)
    const value = inner()
    return take(')') ? value : undefined
  }

  function buildResult(): CodeValue {
    const from = cursor.position()
    if (peek() !== '{') return inner()
    const place = cursor.findReturn()
    if (place !== undefined) {
      cursor.goTo(place)
      cursor.mention(from)
      cursor.goTo(place + 1)
      const result = inner()
      if (take(';', '}')) return result
    }
    cursor.goTo(from)
    cursor.skipBlock()
    return unknown
  }

  function named(first: string): CodeValue | undefined {
    cursor.goTo(start + 1)
    if (Object.hasOwn(LITERALS, first)) return { kind: 'literal', value: LITERALS[first], at }
    const required = first === 'require' && peek() === '(' && peek(2) === ')' ? cursor.token(1) : undefined
    const isRequired = required?.kind === 'string' && peek(3) === '.'
    if (isRequired) cursor.goTo(start + 4)
    const path = [isRequired ? required.text : (origins.get(first) ?? first)]
    for (let next = nameHere(1); peek() === '.' && next !== undefined; next = nameHere(1)) {
      path.push(next)
      cursor.goTo(cursor.position() + 2)
    }
    if (!take('(')) return path.length === 1 ? { kind: 'name', name: first, at } : undefined
    const args = series(')', inner)
    if (args === undefined) return undefined
    const callee = path.join('.')
    if (!FACTORY.test(callee)) cursor.mention(start)
    return { kind: 'call', callee, args, at }
  }

  /** Undefined for accessors, computed names and spreads. */
  function member(): readonly [string, CodeValue] | undefined {
    if (nameHere() === 'async' && !/^[:(,}]$/.test(peek(1) ?? '')) take('async')
    take('*')
    const key = cursor.token()
    if (key === undefined || key.kind === 'sign' || key.kind === 'regex' || key.text === '__proto__')
      return undefined
    const place = key.at
    cursor.goTo(cursor.position() + 1)
    if (take(':')) return [key.text, inner()]
    if (peek() === '(') {
      cursor.skipBlock()
      if (peek() !== '{') return undefined
      cursor.skipBlock()
      return [key.text, { kind: 'function', result: unknown, at: place }]
    }
    if (key.kind !== 'name' || (peek() !== ',' && peek() !== '}')) return undefined
    return [key.text, { kind: 'name', name: key.text, at: place }]
  }
}
